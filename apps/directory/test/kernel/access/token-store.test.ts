import { expect, it } from 'vitest'
import { isExpired, isSameText, isStale } from '../../../src/kernel/access/token-store.ts'
import type { TokenRow } from '../../../src/kernel/store/tables.ts'

const token: TokenRow = {
  id: 't',
  tenant_id: null,
  name: 'Test',
  hash: '',
  role: 'admin',
  profile: 'standard',
  user_id: null,
  created_at: 0,
  last_used_at: null,
  expires_at: null,
  lifetime: null,
  access: 'write',
  replaces: null,
}

it.each([
  [null, 1_700_000_000_000, true],
  // A clock that starts in 1970, such as that of a machine without a battery.
  [null, 0, true],
  [null, -1, true],
  [1_000, 60_999, false],
  [1_000, 61_000, true],
])("a token's use at %j is stored again at %i: %j", (last_used_at, now, stale) => {
  expect(isStale({ ...token, last_used_at }, now)).toBe(stale)
})

it.each([
  [null, Number.MAX_SAFE_INTEGER, false],
  [1_000, 999, false],
  [1_000, 1_000, true],
  [1_000, 1_001, true],
])('a token expiring at %j has expired at %i: %j', (expires_at, now, expired) => {
  expect(isExpired({ expires_at }, now)).toBe(expired)
})

it.each([
  ['a', 'a', true],
  ['a', 'b', false],
  ['a', 'aa', false],
  ['', '', true],
])('the strings %j and %j are the same: %j', (a, b, same) => {
  expect(isSameText(a, b)).toBe(same)
})
