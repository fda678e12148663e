import { own } from '../../json.ts'
import { differences } from '../../toolkit/differences.ts'
import { skip } from '../../toolkit/finding.ts'
import type { StoreCheck } from '../check.ts'
import type { Answer } from '../client.ts'
import { expectError, expectNone, expectStatus, mismatch } from '../expectations.ts'
import { metaOf } from '../world.ts'
import { nextValue, singleFields } from './patch.ts'
import { patch, withImmutable } from './values.ts'

const VERSION =
  'set meta.version only if it changes with every change of the resource. Without it, the endpoint computes one.'

/** Entity tags and conditional requests. */
export const VERSION_CHECKS: readonly StoreCheck[] = [
  {
    name: 'version: is the same while the resource is the same, and another after a change',
    section: 'RFC 7644 §3.14',
    advice: VERSION,
    async run({ types, send }) {
      for (const type of types) {
        const { id, path, answer } = await type.create('whole', 1)
        const [read, again] = [await send('GET', path), await send('GET', path)]
        requireTag(read, tagOf(answer), 'the version in the response to the POST')
        requireTag(again, tagOf(read), 'the version of the GET before')
        const body = withImmutable(type, await type.sample('whole', 2), await type.read(id))
        const replaced = expectStatus(await send('PUT', path, body), 200)
        if (tagOf(replaced) === tagOf(read)) mismatch(replaced, 'another version after the change')
        requireTag(
          await send('GET', path),
          tagOf(replaced),
          'the version in the response to the PUT',
        )
      }
    },
  },
  {
    name: 'version: is another after a change of any attribute',
    section: 'RFC 7644 §3.14',
    advice: `${VERSION} It covers extensions and child tables, too.`,
    async run(world) {
      for (const type of world.types) {
        const { id, path } = await type.create('whole', 1)
        const next = await type.sample('whole', 2)
        let before = await world.send('GET', path)
        for (const field of singleFields(type)) {
          const old = await type.read(id)
          const value = nextValue(next, field)
          const body = patch({ op: 'replace', path: field.path, value })
          expectStatus(await world.send('PATCH', path, body), [200, 204], 'the value is valid')
          if (differences(type.fields, old, await type.read(id)).length === 0) continue
          const after = await world.send('GET', path)
          const isOther = tagOf(after) !== tagOf(before)
          if (!isOther) mismatch(after, `another version after a change of ${field.path}`)
          before = after
        }
      }
    },
  },
  {
    name: 'version: rejects a change to a resource that has changed since it was read',
    section: 'RFC 7644 §3.14',
    advice: VERSION,
    async run({ types, send }) {
      for (const type of types) {
        const { id, path, answer } = await type.create('whole', 1)
        const old = { 'If-Match': tagOf(answer) }
        const body = withImmutable(type, await type.sample('whole', 2), await type.read(id))
        expectStatus(await send('PUT', path, body, old), 200, 'the version is that of the resource')
        const before = await type.read(id)
        const other = withImmutable(type, await type.sample('whole', 3), before)
        const late = await send('PUT', path, other, old)
        expectError(late, 412, null, 'the resource has another version now')
        const lines = differences(type.fields, before, await type.read(id))
        expectNone(late, lines, 'the resource is as it was before')
        expectError(await send('DELETE', path, undefined, old), 412, null, 'it has another version')
      }
    },
  },
  {
    name: 'version: of changes to the same version at the same time, one succeeds',
    section: 'RFC 7644 §3.14',
    advice:
      'run the work of transaction in one transaction of the database, and lock the row in a read with isForUpdate. A database of one connection needs a queue.',
    async run({ types, send }) {
      for (const type of types) {
        const { id, path, answer } = await type.create('whole', 1)
        const current = await type.read(id)
        const bodies = await Promise.all(
          [2, 3, 4].map(async (number) =>
            withImmutable(type, await type.sample('varied', number), current),
          ),
        )
        const condition = { 'If-Match': tagOf(answer) }
        const answers = await Promise.all(bodies.map((body) => send('PUT', path, body, condition)))
        for (const one of answers) expectStatus(one, [200, 412], 'the request is valid')
        const winners = answers.filter(({ status }) => status === 200)
        const [winner = answer] = winners
        if (winners.length !== 1) {
          mismatch(
            winner,
            'one 200 of three requests with this If-Match',
            `${winners.length} times 200`,
          )
        }
        const { body: after } = await send('GET', path)
        const lines = differences(type.fields, winner.body, after)
        expectNone(winner, lines, 'the resource is that of the request that succeeded')
      }
    },
  },
  {
    name: 'meta: created is the same after a change, and lastModified is not before it',
    section: 'RFC 7643 §3.1',
    advice: 'keep the column of the creation time in replace, and set that of the last change.',
    async run({ types, send }) {
      let compared = 0
      for (const type of types) {
        const { id, path, answer } = await type.create('whole', 1)
        const created = metaOf(answer.body, 'created')
        const modified = metaOf(answer.body, 'lastModified')
        const body = withImmutable(type, await type.sample('whole', 2), await type.read(id))
        const after = expectStatus(await send('PUT', path, body), 200)
        for (const one of [after, await send('GET', path)]) {
          if (metaOf(one.body, 'created') !== created) mismatch(one, `meta.created is ${created}`)
          const last = metaOf(one.body, 'lastModified')
          const isEarlier = Date.parse(String(last)) < Date.parse(String(modified))
          if (isEarlier) mismatch(one, `meta.lastModified is not before ${modified}`)
        }
        if (created !== undefined) compared += 1
      }
      if (compared === 0) skip('the store does not set meta.created')
    },
  },
]

/** The entity tag of a response. */
export function tagOf({ headers, body }: Answer): string {
  return headers.get('ETag') ?? String(metaOf(body, 'version') ?? own(body, 'version') ?? '')
}

function requireTag(answer: Answer, wanted: string, what: string): void {
  if (tagOf(answer) !== wanted) mismatch(answer, `${what}, ${wanted}`, tagOf(answer))
}
