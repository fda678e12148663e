import { unwrap } from '@plumbline/result'
import { parseFilter, stringifyFilter } from '@plumbline/scim/filter'
import { filterToPredicate, predicateToSql } from '@plumbline/scim/internal'
import { describe, expect, it } from 'vitest'
import { filterColumns } from '../../../../src/features/scim/attribute-columns.ts'
import { USERS } from '../../../../src/features/scim/user.ts'
import { createValueIndex } from '../../../../src/features/scim/value-index/value-index.ts'
import { statementOf } from '../../../support/statement.ts'
import { CONDITION_CASES } from './filter-conditions.cases.ts'

describe('the condition of a filter over users', () => {
  it.each(CONDITION_CASES.map((one) => [one.section, one.shows, one] as const))(
    'in the condition of a filter, %s: %s',
    (_section, _shows, { filter, hasHashes = false }) => {
      expect(conditionOf(filter, hasHashes)).toMatchSnapshot()
    },
  )
})

it.each(['active gt true', 'active eq "true"'])(
  'a boolean column rejects another comparison: %s (RFC 7644 §3.4.2.2)',
  (filter) => {
    expect(() => conditionOf(filter, false)).toThrow(/boolean|true or false/)
  },
)

/** The condition on the rows of users, its values, and the filter that is left to memory. */
function conditionOf(filter: string, hasHashes: boolean): object {
  const columns = {
    ...filterColumns(USERS.columns),
    ...createValueIndex(USERS.definitions, 'user_values').columns,
  }
  const options = { hasHashes: () => hasHashes }
  const { where, residual } = unwrap(
    filterToPredicate(unwrap(parseFilter(filter)), columns, options),
  )
  const written =
    where && predicateToSql(where, { dialect: 'sqlite', table: 'users', isBinary: true })
  const { text, values } = written === null ? { text: null, values: [] } : statementOf(written)
  return {
    where:
      text
        ?.replaceAll(
          /exists \(select 1 from "user_values" as "(\w+)" where (?:"\w+"\."\w+" = "\w+"\."\w+" and )+/g,
          'exists ($1: ',
        )
        .replaceAll('"', '') ?? null,
    values,
    inMemory: residual && stringifyFilter(residual),
  }
}
