import { unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { parseFilter } from '../filter/parse.ts'
import { compare, logical } from './predicate.ts'
import { translateFilter } from './translate.ts'
import { joinTranslations, type Translation } from './translation.ts'

const [a, b] = [compare('a', 'eq', 1), compare('b', 'eq', 2)]
const unknown: Translation = { reason: 'unknown', superset: null }
const wide: Translation = { reason: 'wide', superset: b }

describe('several translations', () => {
  it.each<['and' | 'or', readonly Translation[], Translation]>([
    ['and', [wide], wide],
    ['and', [{ exact: a }, { exact: b }], { exact: logical('and', [a, b]) }],
    ['or', [{ exact: a }, { exact: b }], { exact: logical('or', [a, b]) }],
    // The other part narrows a conjunction, but not a disjunction.
    ['and', [unknown, { exact: a }], { reason: 'unknown', superset: a }],
    ['or', [unknown, { exact: a }], unknown],
    ['and', [{ exact: a }, wide], { reason: 'wide', superset: logical('and', [a, b]) }],
    ['or', [{ exact: a }, wide], { reason: 'wide', superset: logical('or', [a, b]) }],
    ['and', [unknown, unknown], unknown],
    ['and', [], { exact: logical('and', []) }],
  ])('translations joined with %s: %j', (operator, translations, joined) => {
    expect(joinTranslations(operator, translations)).toEqual(joined)
  })
})

it('a library without selections from other tables does not translate values in another table', () => {
  const emails = { table: 'mails', on: { person: 'id' }, columns: { value: 'mail' } }
  const capabilities = { escapes: true, negations: true, selections: false }
  const translation = unwrap(
    translateFilter(unwrap(parseFilter('emails.value eq "a"')), { emails }, capabilities),
  )
  expect(translation.where).toBeNull()
  expect(translation.inexactReason?.message()).toBe(
    'emails.value eq "a": the predicates of the query library cannot select from another table',
  )
})
