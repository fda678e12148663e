import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { VERSION } from '../src/lib/version.ts'

it('the version in reports is the package version', () => {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  expect(VERSION).toBe(JSON.parse(text).version)
})
