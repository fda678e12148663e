import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { spendDay } from '../../contract/secrets.ts'
import { useSqliteStore } from '../../support/sqlite-store.ts'

const { folder, storeOf } = useSqliteStore()

it("no SQLite file has a secret's bytes, except for stored attributes", async () => {
  const { secrets } = await spendDay(storeOf())
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)))
  const bytes = Buffer.concat(files)
  expect(bytes.includes('"password":"***"')).toBe(true)
  const found = [...secrets].filter(([secret]) => bytes.includes(secret))
  expect(found.filter(([, place]) => !place.startsWith('stored: '))).toEqual([])
})
