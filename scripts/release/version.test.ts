import { expect, it } from 'vitest'
import { replaceVersion, versionAt } from './version.ts'

it('a version is the UTC date, without leading zeros, which semantic versions reject', () => {
  expect(versionAt(new Date('2027-01-02T23:59:59Z'))).toBe('2027.1.2')
  expect(versionAt(new Date('2027-01-02T23:59:59-05:00'))).toBe('2027.1.3')
})

it('a release replaces the version of these packages, and not those of others', () => {
  const text = `"version": "2026.1.2", "@plumbline/scim": "2026.1.2", "hono": "2026.1.2", "version": "2026.1.21"
export const VERSION = '2026.1.2' // since 2026.1.2`
  expect(replaceVersion(text, '2026.1.2', '2027.3.4')).toBe(
    `"version": "2027.3.4", "@plumbline/scim": "2027.3.4", "hono": "2026.1.2", "version": "2026.1.21"
export const VERSION = '2027.3.4' // since 2026.1.2`,
  )
})
