import { own } from '../../json.ts'
import { type StoreCheck, some } from '../check.ts'
import { type Answer, idOf, idsOf, resourcesOf } from '../client.ts'
import { differences } from '../differences.ts'
import { expectNone, expectStatus, mismatch } from '../expectations.ts'
import { pathOf, type Served, type World } from '../world.ts'
import { sortKeys } from './sort.ts'
import { query, withImmutable } from './values.ts'

const ORDER =
  'end every ORDER BY with a unique column, such as the id, so that the order is the same in every query.'

/** Lists and their pages. */
export const LIST_CHECKS: readonly StoreCheck[] = [
  {
    name: 'list: contains every resource as read returns it',
    section: 'RFC 7644 §3.4.2',
    advice: 'return from list what read returns for each row, with the attributes of child tables.',
    async run({ types, send }) {
      for (const type of types) {
        const created = [await type.create('whole', 1), await type.create('varied', 2)]
        const list = expectStatus(await send('GET', `${type.endpoint}?count=100`), 200)
        for (const { id, path } of created) {
          const read = await send('GET', path)
          const listed = resourcesOf(list).find((one) => idOf(one) === id) ?? {}
          const lines = differences(type.fields, read.body, listed)
          expectNone(list, lines, `${id} is in the list as GET ${path} returns it`)
        }
      }
    },
  },
  {
    name: 'list: counts all resources, whatever the page',
    section: 'RFC 7644 §3.4.2.4',
    advice: 'return in totalResults how many rows match, not how many are on the page.',
    async run({ types, send }) {
      for (const type of types) {
        const resources = await type.fill(7)
        const total = (await listedIds(type, send)).length
        if (total < resources.length) throw new Error('not every resource is listed')
        for (const page of [{ count: 0 }, { count: 3 }, { startIndex: 3, count: 2 }]) {
          requireTotal(await send('GET', type.endpoint + query(page)), total)
        }
        const beyond = await send(
          'GET',
          `${type.endpoint}${query({ startIndex: total + 5, count: 5 })}`,
        )
        requireTotal(beyond, total)
        if (idsOf(beyond).length > 0) mismatch(beyond, 'no resources after the last one')
      }
    },
  },
  {
    name: 'list: counts more than 50 resources',
    section: 'RFC 7644 §3.4.2.4',
    advice: 'count in the database, without the limit of the page.',
    async run({ types, send }) {
      for (const type of types) {
        for (let number = 1; number <= MANY; number += 1) await type.create('minimal', number)
        const total = (await listedIds(type, send)).length
        if (total < MANY) throw new Error('not every resource is listed')
        for (const page of [{ count: 0 }, { count: 3 }]) {
          requireTotal(await send('GET', type.endpoint + query(page)), total)
        }
      }
    },
  },
  {
    name: 'list: pages by index contain each resource once, in the order of the list',
    section: 'RFC 7644 §3.4.2.4',
    advice: ORDER,
    async run({ types, send }) {
      for (const type of types) {
        await type.fill(8)
        const [key] = sortKeys(type)
        const orders = [{}, ...(key ? [{ sortBy: key.path }] : [])]
        for (const order of orders) {
          const all = await listedIds(type, send, order)
          const pages: string[] = []
          let last: Answer | undefined
          for (let startIndex = 1; startIndex <= all.length; startIndex += 3) {
            last = await send('GET', type.endpoint + query({ ...order, startIndex, count: 3 }))
            expectStatus(last, 200)
            pages.push(...idsOf(last))
          }
          if (last) requireSame(last, all, pages, 'the pages together are the list')
        }
      }
    },
  },
  {
    name: 'list: keeps its order after a change',
    section: 'RFC 7644 §3.4.2.4',
    advice: `${ORDER} Without an ORDER BY, databases may move a row that was updated.`,
    async run({ types, send }) {
      for (const type of types) {
        await type.fill(6)
        const before = await listedIds(type, send)
        const [first = ''] = before
        const body = withImmutable(type, await type.sample('varied', 50), await type.read(first))
        expectStatus(await send('PUT', pathOf(type.endpoint, first), body), 200)
        const again = await send('GET', type.endpoint + query({ count: 100 }))
        requireSame(again, before, idsOf(again), 'the order before the change')
      }
    },
  },
  {
    name: 'list: pages by cursor contain each resource once',
    section: 'RFC 9865 §2',
    advice: 'put into the cursor the values of the order and the id of the last row of the page.',
    async run({ types, send, cursors }) {
      const paged = types.filter(({ name }) => cursors.includes(name))
      for (const type of some(paged, 'no store declares cursors')) {
        await type.fill(8)
        const all = await listedIds(type, send)
        const found: string[] = []
        let cursor: unknown = ''
        while (typeof cursor === 'string' && found.length <= all.length) {
          const page = await send('GET', type.endpoint + query({ cursor, count: 3 }))
          expectStatus(page, 200, 'the cursor is that of the page before')
          found.push(...idsOf(page))
          cursor = own(page.body, 'nextCursor')
          if (cursor !== undefined && found.length <= all.length) continue
          requireSame(page, [...all].sort(), [...found].sort(), 'each resource once on the pages')
        }
      }
    },
  },
]

/** More resources than a page usually has. */
const MANY = 55

/** Lists all resource ids in order. */
export async function listedIds(
  type: Served,
  send: World['send'],
  parameters: Readonly<Record<string, string | number>> = {},
): Promise<readonly string[]> {
  const answer = await send('GET', type.endpoint + query({ ...parameters, count: 100 }))
  expectStatus(answer, 200, 'the list request is valid')
  return idsOf(answer)
}

/** Throws unless the ids are the expected ones, in their order. */
export function requireSame(
  answer: Answer,
  expected: readonly string[],
  actual: readonly string[],
  what: string,
): void {
  if (expected.join() === actual.join()) return
  mismatch(answer, `${what}: ${expected.join(', ') || 'nothing'}`, actual.join(', ') || 'nothing')
}

function requireTotal(answer: Answer, total: number): void {
  expectStatus(answer, 200)
  if (own(answer.body, 'totalResults') !== total) mismatch(answer, `totalResults is ${total}`)
}
