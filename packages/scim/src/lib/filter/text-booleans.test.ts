import { unwrap } from '@plumbline/result'
import { expect, it } from 'vitest'
import { attributeIndex, resolveAttribute } from '../schema/attribute-index.ts'
import { definitions } from './compile.cases.ts'
import { parseFilter } from './parse.ts'
import { stringifyFilter } from './stringify.ts'
import { coerceTextBooleans } from './text-booleans.ts'

it.each([
  ['active eq "True"', 'active eq true'],
  ['active ne "FALSE"', 'active ne false'],
  ['active eq "yes"', 'active eq "yes"'],
  ['active eq true', 'active eq true'],
  ['active eq 1', 'active eq 1'],
  ['userName eq "true"', 'userName eq "true"'],
  ['unknown eq "true"', 'unknown eq "true"'],
  ['active pr', 'active pr'],
  ['not (active eq "true")', 'not (active eq true)'],
  ['title pr or active eq "false"', 'title pr or active eq false'],
  ['title pr and active eq "false"', 'title pr and active eq false'],
  ['emails[primary eq "true"]', 'emails[primary eq true]'],
  ['emails[type eq "true"]', 'emails[type eq "true"]'],
  ['unknown[primary eq "true"]', 'unknown[primary eq "true"]'],
  ['emails.primary eq "true"', 'emails.primary eq true'],
])('Deviation, Entra ID: %s is read as %s', (filter, read) => {
  const index = attributeIndex(definitions)
  const resolve = resolveAttribute.bind(null, index)
  expect(stringifyFilter(coerceTextBooleans(unwrap(parseFilter(filter)), resolve))).toBe(read)
})
