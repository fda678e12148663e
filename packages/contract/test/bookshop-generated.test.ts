import { createContractRecorder, generateTests } from '@plumbline/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { bookshopDocument, createBookshop } from '../../openapi/test/bookshop.ts'

const isWhole = process.env.PLUMBLINE_GENERATED === 'whole'
const recorder = createContractRecorder(bookshopDocument)
const credentials = { token: 'writer', key: 'k1', login: { username: 'ann', password: 'a:b' } }

describe('the bookshop answers generated requests as documented', () => {
  const runs = isWhole ? 300 : 25
  const tests = generateTests(createBookshop(), { seed: 7, runs, credentials, recorder })
  for (const { name, run } of tests) it(name, run)

  afterAll(() => {
    const { exchanges, violations } = recorder.report()
    expect(violations).toEqual([])
    expect(exchanges).toBeGreaterThan(isWhole ? 2_000 : 200)
  })
})
