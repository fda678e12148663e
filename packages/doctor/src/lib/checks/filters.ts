import type { Check } from '../check.ts'
import { expectEqual } from '../toolkit/expect.ts'

export const FILTERS_CHECKS: readonly Check[] = [
  {
    id: 'filters.eq-string',
    section: 'RFC 7644 §3.4.2.2',
    level: 'MUST',
    title: 'eq on userName selects exactly the user with that value',
    needs: ['filter', 'check:create.user'],
    advice: 'Compare the whole value, and return only resources that match.',
    affects: {
      entra: 'Existing users are not found, and are created a second time.',
      okta: 'Imported users are not matched.',
    },
    run: async ({ people, matches }) => {
      const { ada } = await people()
      const found = await matches(`userName eq "${ada.sent.userName}"`)
      expectEqual(found, ['ada'], 'the users that eq selects')
    },
  },
  {
    id: 'filters.case-insensitive',
    section: 'RFC 7643 §2.2',
    level: 'MUST',
    title: 'eq ignores letter case for an attribute that is not caseExact',
    needs: ['filter', 'check:filters.eq-string'],
    advice: 'Compare strings of attributes with caseExact false without regard to letter case.',
    affects: { entra: 'A user whose name differs in letter case is created a second time.' },
    run: async ({ people, matches }) => {
      const { ada } = await people()
      const found = await matches(`userName eq "${String(ada.sent.userName).toUpperCase()}"`)
      expectEqual(found, ['ada'], 'the users that eq selects in other letter case')
    },
  },
]
