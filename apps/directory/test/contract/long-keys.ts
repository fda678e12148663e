import { expect, it } from 'vitest'
import type { Store } from '../../src/kernel/store/store.ts'
import { connect } from '../support/harness.ts'
import { idsOf, page } from './cursors.ts'

/** Cursors of resources that are sorted by very long values, on every store. */
export function longKeyContract(store: () => Store): void {
  const orders: readonly (readonly [sortBy: string, value: string])[] = [
    ['userName', '\u0001'.repeat(900)],
    ['profileUrl', 'x'.repeat(20_000)],
    ['addresses.formatted', 'ß'.repeat(20_000)],
  ]

  /** Two users before and two users after the boundary of the pages. */
  async function longUsers(sortBy: string, value: string) {
    const { send } = await connect(store())
    const ids: string[] = []
    for (const end of ['a', 'b', 'c', 'd']) {
      const user = { userName: value.slice(0, 900) + end, profileUrl: value + end }
      const addresses = [{ formatted: value + end }]
      ids.push(String((await send('POST', '/Users', { ...user, addresses })).body.id))
    }
    const first = await page({ send }, '/Users', { cursor: '', count: '2', sortBy })
    const rest = { cursor: String(first.nextCursor), count: '2', sortBy }
    return { send, ids, first, rest }
  }

  it.each(orders)(
    'a cursor fits a URL if users are sorted by a very long %s',
    async (sortBy, value) => {
      const { send, ids, first, rest } = await longUsers(sortBy, value)
      expect(rest.cursor).toMatch(/^[\w.~-]{50,1000}$/)
      const second = await page({ send }, '/Users', rest)
      expect([...idsOf(first), ...idsOf(second)]).toEqual(ids)
      const before = { ...rest, cursor: String(second.previousCursor) }
      expect(before.cursor).toMatch(/^[\w.~-]{50,1000}$/)
      expect(idsOf(await page({ send }, '/Users', before))).toEqual(ids.slice(0, 2))
    },
  )

  it.each(orders)(
    'a cursor is rejected as expired if the user at the position was changed or deleted (RFC 9865 §2): %s',
    async (sortBy, value) => {
      const { send, ids, rest } = await longUsers(sortBy, value)
      const path = `/Users?${new URLSearchParams(rest)}`
      await send('PUT', `/Users/${ids[1]}`, { userName: 'changed' })
      const expired = { status: 400, body: { scimType: 'expiredCursor' } }
      expect(await send('GET', path)).toMatchObject(expired)
      await send('DELETE', `/Users/${ids[1]}`)
      expect(await send('GET', path)).toMatchObject(expired)
    },
  )
}
