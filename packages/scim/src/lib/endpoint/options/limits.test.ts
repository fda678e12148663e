import { expect, it } from 'vitest'
import { DEFAULT_LIMITS } from './limits.ts'

it("an endpoint's limits have the documented defaults", () => {
  expect(DEFAULT_LIMITS).toEqual({
    body: 1_048_576,
    defaultCount: 100,
    maxCount: 1_000,
    candidates: 10_000,
    page: 16_777_216,
    bulkOperations: 1_000,
    values: 5_000,
    steps: 1_000_000,
    writeTime: 60_000,
    unread: 201_326_592,
    unreadByClient: 67_108_864,
  })
})
