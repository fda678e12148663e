import { own } from '../../json.ts'
import { type Field, isChangeable, targetsOf } from '../../model/fields.ts'
import { kindOf, sampleValue } from '../../model/generate.ts'
import { isReadable } from '../../model/types.ts'
import { comparedFields, differences, textOf, UNASSIGNED } from '../../toolkit/differences.ts'
import { withImmutable } from '../../toolkit/immutable.ts'
import { type StoreCheck, some } from '../check.ts'
import { type Answer, idOf } from '../client.ts'
import { expectNone, expectStatus, mismatch } from '../expectations.ts'
import { LONG, plainStrings, withStrings } from '../strings.ts'
import { type Body, pathOf, type Served } from '../world.ts'
import { changed } from './values.ts'

/** Creating and replacing whole resources. */
export const WRITE_CHECKS: readonly StoreCheck[] = [
  {
    name: 'create: gives each resource an id of its own',
    section: 'RFC 7643 §3.1',
    advice: 'let the database generate the id, and return it from create.',
    async run({ types }) {
      for (const type of types) {
        const [first, second] = [await type.create('varied', 1), await type.create('varied', 2)]
        const { answer } = second
        const id = own(answer.body, 'id')
        if (typeof id !== 'string' || id === '') mismatch(answer, 'an id that is a string')
        if (id === first.id) mismatch(answer, `another id than ${first.id} of the resource before`)
      }
    },
  },
  {
    name: 'create: does not give the id of a deleted resource again',
    section: 'RFC 7643 §3.1',
    advice:
      'use UUIDs, or keys that the database never reuses: autoincrement on SQLite. A client, or a group, may still refer to the old resource.',
    async run({ types, send }) {
      for (const type of types) {
        const created = [await type.create('varied', 1), await type.create('varied', 2)]
        const ids = new Set(created.map(({ id }) => id))
        // The newest, and then all, because a database may continue after the greatest key that exists.
        for (const count of [1, 2]) {
          for (const { path } of created.splice(-count)) {
            expectStatus(await send('DELETE', path), 204, 'the resource exists')
          }
          const next = await type.create('varied', count + 2)
          if (ids.has(next.id)) mismatch(next.answer, 'an id that no resource had before', next.id)
          ids.add(next.id)
          created.push(next)
        }
      }
    },
  },
  {
    name: 'create: keeps every attribute that the definitions declare',
    section: 'RFC 7644 §3.3',
    advice:
      'store the attribute, or remove it from the definitions with pickAttributes. A client relies on what /Schemas declares.',
    async run({ types }) {
      for (const type of types) {
        const { id, sent, answer } = await type.create('whole', 1)
        const read = await type.read(id)
        expectNone(
          answer,
          differences(type.fields, sent, read),
          `GET returns what was sent to ${type.endpoint}`,
        )
      }
    },
  },
  {
    name: 'create: returns what read returns',
    section: 'RFC 7644 §3.3',
    advice: 'return from create what read returns for the new row.',
    async run({ types, send }) {
      for (const type of types) {
        const { path, answer } = await type.create('whole', 1)
        const read = await send('GET', path)
        expectStatus(read, 200, 'the resource was created')
        const lines = differences(type.fields, answer.body, read.body)
        expectNone(read, lines, 'the body of the response to the POST')
      }
    },
  },
  {
    name: 'create: of creates at the same time, each returns the resource that was sent',
    section: 'RFC 7644 §3.3',
    advice:
      'take the id from the result of the insert, such as by returning or insertId. A second statement may read the id of another request.',
    async run({ types, send }) {
      for (const type of types) {
        const bodies: Body[] = []
        for (let at = 1; at <= AT_ONCE; at += 1) bodies.push(await type.sample('whole', at))
        const answers = await Promise.all(bodies.map((body) => send('POST', type.endpoint, body)))
        for (const [at, answer] of answers.entries()) {
          expectStatus(answer, 201, 'the resource is valid')
          const id = idOf(answer.body)
          const { body: shown } = await send('GET', pathOf(type.endpoint, id))
          const lines = [
            ...differences(type.fields, bodies[at] ?? {}, await type.read(id)),
            ...differences(type.fields, shown, answer.body),
          ]
          expectNone(answer, lines, 'the resource that was sent')
        }
      }
    },
  },
  {
    name: 'create: accepts a resource that has only the required attributes',
    section: 'RFC 7643 §2.2',
    advice: 'allow NULL in the columns of optional attributes, or declare them as required.',
    async run({ types }) {
      for (const type of types) {
        const { id, sent, answer } = await type.create('minimal', 1)
        const read = await type.read(id)
        const known = Object.fromEntries(Object.keys(sent).map((key) => [key, own(read, key)]))
        expectNone(answer, differences(type.fields, sent, known), 'GET returns what was sent')
      }
    },
  },
  {
    name: 'create: keeps strings exactly as they were sent',
    section: 'RFC 7643 §2.3.1',
    advice:
      'send values as parameters of the statement, never in its text. Do not trim, escape or normalize them.',
    async run({ types, send }) {
      const free = types.filter((type) => plainStrings(type).length > 0)
      for (const type of some(free, 'no attribute is a free string')) {
        for (const [at, text] of STRANGE.entries()) {
          const body = withStrings(await type.sample('whole', at + 1), type, text)
          const answer = expectStatus(await send('POST', type.endpoint, body), 201)
          const read = await type.read(idOf(answer.body))
          expectNone(answer, differences(type.fields, body, read), 'GET returns what was sent')
        }
      }
    },
  },
  {
    name: 'create: keeps long strings, or rejects them',
    section: 'RFC 7643 §2.3.1',
    advice: 'use columns without a limit, or reject a string that is too long with 400.',
    async run({ types, send }) {
      const free = types.filter((type) => plainStrings(type).length > 0)
      for (const type of some(free, 'no attribute is a free string')) {
        for (const [at, length] of [100, 300, 1_000].entries()) {
          const sample = await type.sample('whole', at + 1)
          const body = withStrings(sample, type, LONG.slice(0, length))
          await requireKept(type, await send('POST', type.endpoint, body), body)
        }
      }
    },
  },
  {
    name: 'create: keeps all values of a list, or rejects them',
    section: 'RFC 7643 §2.4',
    advice:
      'store each value in a row of its own, whatever its type is. Reject with 400 a value without a place. Do not drop it.',
    async run({ types, send }) {
      const lists = types.flatMap((type) => typedLists(type).map((field) => ({ type, field })))
      let number = 1
      for (const { type, field } of some(lists, 'no value of a list has a type')) {
        for (const values of severalValues(field)) {
          const body = changed(await type.sample('whole', number), field, values)
          number += 1
          await requireKept(type, await send('POST', type.endpoint, body), body)
        }
      }
    },
  },
  {
    name: 'replace: keeps every attribute that the definitions declare',
    section: 'RFC 7644 §3.5.1',
    advice: 'write every column in replace, also those of extensions and of child tables.',
    async run({ types, send }) {
      for (const type of types) {
        const { id, path } = await type.create('minimal', 1)
        const sent = withImmutable(type.fields, await type.sample('whole', 2), await type.read(id))
        const answer = expectStatus(await send('PUT', path, sent), 200)
        const wanted = `GET ${path} returns what was sent`
        expectNone(answer, differences(type.fields, sent, await type.read(id)), wanted)
        if (idOf(answer.body) !== id) mismatch(answer, `the id ${id}`)
      }
    },
  },
  {
    name: 'replace: returns what read returns',
    section: 'RFC 7644 §3.5.1',
    advice: 'return from replace what read returns for the row after the change.',
    async run({ types, send }) {
      for (const type of types) {
        const { id, path } = await type.create('minimal', 1)
        const sent = withImmutable(type.fields, await type.sample('whole', 2), await type.read(id))
        const answer = expectStatus(await send('PUT', path, sent), 200)
        const { body } = await send('GET', path)
        const lines = differences(type.fields, body, answer.body)
        expectNone(answer, lines, 'the body of the response to the GET after it')
      }
    },
  },
  {
    name: 'replace: clears what the request leaves out',
    section: 'RFC 7644 §3.5.1',
    advice: 'set the columns of missing attributes to NULL, and delete their rows in child tables.',
    async run({ types, send }) {
      for (const type of types) {
        const byDefault = await type.defaults()
        const { id, path } = await type.create('whole', 2)
        const before = await type.read(id)
        const sent = withImmutable(type.fields, await type.sample('minimal', 3), before)
        const answer = expectStatus(await send('PUT', path, sent), 200)
        const after = await type.read(id)
        const lines = comparedFields(type.fields).flatMap((field) => {
          const [old, kept] = [textOf(field, before), textOf(field, after)]
          // RFC 7644 §3.5.1 allows a default for a missing value.
          const isDefault = kept === UNASSIGNED || kept === textOf(field, byDefault)
          if (textOf(field, sent) !== UNASSIGNED || isDefault || kept !== old) return []
          return [`${field.path}: expected unassigned, came ${kept}`]
        })
        expectNone(answer, lines, 'the attributes that were not sent are unassigned')
      }
    },
  },
]

/** How many resources are created at the same time. */
const AT_ONCE = 20

/** Throws unless a resource was created as it was sent, or rejected with 400. */
async function requireKept(type: Served, answer: Answer, sent: Body): Promise<void> {
  if (expectStatus(answer, [201, 400], 'the resource is kept or rejected').status === 400) return
  const read = await type.read(idOf(answer.body))
  expectNone(answer, differences(type.fields, sent, read), 'GET returns what was sent')
}

/** The lists whose values have a type a client may choose. */
function typedLists({ fields }: Served): readonly Field[] {
  return fields.filter(
    ({ parent, attribute }) =>
      parent === null &&
      attribute.multiValued === true &&
      isChangeable(attribute) &&
      isReadable(attribute) &&
      ['value', 'type'].every((name) =>
        attribute.subAttributes?.some((part) => part.name === name && isChangeable(part)),
      ) &&
      targetsOf(attribute).length === 0,
  )
}

/** Two values with one type, one value with two types, and five values. */
function severalValues({ attribute }: Field): readonly (readonly object[])[] {
  const [value = attribute, type = attribute] = ['value', 'type'].map((name) =>
    attribute.subAttributes?.find((part) => part.name === name),
  )
  const element = (kind: number, seed: number): object => ({
    value: sampleValue(value, { number: 60 + seed, seed }, attribute),
    type: kindOf(type, kind),
  })
  const ofTwoTypes = kindOf(type, 0) !== kindOf(type, 1)
  return [
    [element(0, 1), element(0, 2)],
    ...(ofTwoTypes ? [[element(0, 3), element(1, 3)]] : []),
    [4, 5, 6, 7, 8].map((seed) => element(seed, seed)),
  ]
}

/** Strings a statement or a driver could change. */
const STRANGE: readonly string[] = [
  `O'Brien"; drop table users; --`,
  String.raw`100% _ \ \n %41 \u0041`,
  ' two  spaces ',
  'Zoë \u0301e ß ﬁ Ж 日本',
  '👩‍👩‍👧 🏳️‍🌈',
  '{"json":[1]}',
  '<b>&amp;</b>',
  'null',
  'line\nbreak\r\n\ttab',
]
