import type { Check } from '../check.ts'
import { FILTER_ROWS } from '../rows/filter-rows.ts'
import { RULES } from '../rules.ts'
import { expectError } from '../toolkit/expect.ts'
import { selecting } from './filters/selecting.ts'

export const VALUE_PATHS_CHECKS: readonly Check[] = [
  selecting({
    id: 'value-paths.brackets',
    ...RULES.sameValue,
    row: FILTER_ROWS.brackets,
    otherwise: [FILTER_ROWS.bracketsOfWork],
    title: 'A filter in brackets selects the users that have such a value',
    needs: ['User:list', 'filterable:User:list'],
    advice: 'Apply the filter in brackets to each value of the attribute.',
    affects: { entra: 'Users that are matched by an address of a type are not found.' },
  }),
  selecting({
    id: 'value-paths.and',
    ...RULES.sameValue,
    row: FILTER_ROWS.andInBrackets,
    title: 'Brackets can contain several comparisons',
    needs: ['check:value-paths.brackets', 'check:filters.co'],
    advice: 'Accept and, or and not in brackets.',
  }),
  selecting({
    id: 'value-paths.same-value',
    ...RULES.sameValue,
    row: FILTER_ROWS.sameValue,
    title: 'One value must match the whole filter in brackets',
    needs: ['check:value-paths.and'],
    advice: 'Do not combine the type of one value with the address of another one.',
  }),
  selecting({
    id: 'value-paths.or',
    ...RULES.sameValue,
    row: FILTER_ROWS.orInBrackets,
    title: 'or in brackets selects the users with a value that matches one of the sides',
    needs: ['check:value-paths.brackets', 'check:filters.co'],
    advice: 'Accept and, or and not in brackets.',
  }),
  selecting({
    id: 'value-paths.not',
    ...RULES.sameValue,
    row: FILTER_ROWS.notInBrackets,
    otherwise: [FILTER_ROWS.notInBracketsOfWork],
    title: 'not in brackets selects the users with a value that does not match',
    needs: ['check:value-paths.brackets', 'check:filters.not'],
    advice: 'Negate the filter for each value, and not for the user.',
  }),
  selecting({
    id: 'value-paths.boolean',
    ...RULES.sameValue,
    level: 'defined',
    row: FILTER_ROWS.booleanInBrackets,
    title: 'A boolean in brackets is compared',
    needs: ['check:value-paths.brackets', 'User.emails.primary'],
    advice: 'Compare primary with true, without quotation marks.',
  }),
  selecting({
    id: 'value-paths.combined',
    ...RULES.sameValue,
    row: FILTER_ROWS.bracketsAndComparison,
    otherwise: [FILTER_ROWS.workAndComparison],
    title: 'Brackets can be combined with other comparisons',
    needs: ['check:value-paths.brackets', 'check:filters.and'],
    advice: 'Accept a value path wherever a comparison is accepted.',
  }),
  selecting({
    id: 'value-paths.names',
    ...RULES.anyCase,
    isRequired: true,
    row: FILTER_ROWS.namesOfBrackets,
    otherwise: [FILTER_ROWS.namesOfWork],
    title: 'The names of a value path are accepted in any letter case, and with the URN',
    needs: ['check:value-paths.brackets', 'check:filters.core-urn', 'check:filters.name-case'],
    advice: 'Look up the attributes before and in brackets like those of other comparisons.',
  }),
  selecting({
    id: 'value-paths.sub-attribute',
    section: 'Entra ID',
    level: 'practice',
    isRequired: true,
    row: FILTER_ROWS.subAttributeOfBrackets,
    title: 'A sub-attribute after the brackets is compared for the values that match',
    needs: ['check:value-paths.brackets'],
    advice: 'Accept emails[type eq "work"].value eq "…", as in the paths of PATCH.',
    affects: { entra: 'Users that are matched by their work address are created a second time.' },
  }),
  {
    id: 'value-paths.malformed',
    ...RULES.statusCodes,
    title: 'Brackets that are not closed or are empty are rejected',
    needs: ['check:value-paths.brackets'],
    advice: 'Answer 400 invalidFilter if the filter in brackets cannot be parsed.',
    run: async ({ get, type, words }) => {
      const { path } = words().list
      for (const rest of ['[type eq "work"', '[]', '[type eq "work"]]']) {
        const filter = path + rest
        const response = await get(type('User').endpoint, { query: { filter } })
        expectError(response, 400, 'invalidFilter')
      }
    },
  },
]
