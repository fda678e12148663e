import { own } from '../../json.ts'
import { differences } from '../../toolkit/differences.ts'
import { withImmutable } from '../../toolkit/immutable.ts'
import type { StoreCheck } from '../check.ts'
import type { Answer } from '../client.ts'
import { expectNone, expectStatus, mismatch } from '../expectations.ts'
import { metaOf } from '../world.ts'

/** Requests for resources of any type at the same time. */
export const RACE_CHECKS: readonly StoreCheck[] = [
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
            withImmutable(type.fields, await type.sample('varied', number), current),
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
]

/** The entity tag of a response. */
function tagOf({ headers, body }: Answer): string {
  return headers.get('ETag') ?? String(metaOf(body, 'version') ?? own(body, 'version') ?? '')
}
