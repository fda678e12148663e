import type { Check } from '../../check.ts'
import { expectEqual } from '../../toolkit/expect.ts'
import { nameOf, selecting, startOf } from './selecting.ts'

/** Rules for the operators of comparisons. */
export const OPERATOR_CHECKS: readonly Check[] = [
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
  selecting({
    id: 'filters.ne',
    section: 'RFC 7644 §3.4.2.2',
    level: 'MUST',
    title: 'ne on userName selects every user with another value',
    advice: 'Return the resources whose value differs from the one of the filter.',
    filter: ({ ada }) => `userName ne ${nameOf(ada)}`,
    selects: ['bob', 'eve'],
  }),
  selecting({
    id: 'filters.co',
    section: 'RFC 7644 §3.4.2.2',
    level: 'MUST',
    title: 'co selects the users whose value contains the text',
    advice: 'Search the text at every position of the value, and escape the wildcards of SQL.',
    filter: () => 'userName co ".Ada@exam"',
    selects: ['ada'],
  }),
  selecting({
    id: 'filters.sw',
    section: 'RFC 7644 §3.4.2.2',
    level: 'MUST',
    title: 'sw selects the users whose value starts with the text',
    advice: 'Compare the text with the start of the value.',
    filter: (people) => `userName sw ${startOf(people, 'EV')}`,
    selects: ['eve'],
  }),
  selecting({
    id: 'filters.ew',
    section: 'RFC 7644 §3.4.2.2',
    level: 'MUST',
    title: 'ew selects the users whose value ends with the text',
    advice: 'Compare the text with the end of the value.',
    filter: () => 'userName ew ".bob@example.com"',
    selects: ['bob'],
  }),
  {
    id: 'filters.parts-case-insensitive',
    section: 'RFC 7643 §7',
    level: 'MUST',
    title: 'co, sw and ew ignore letter case for an attribute that is not caseExact',
    needs: ['check:filters.co', 'check:filters.sw', 'check:filters.ew'],
    advice: 'Fold the letter case of the value and of the text before they are compared.',
    run: async ({ people, matches }) => {
      const start = startOf(await people(), 'ada')
      for (const filter of ['co ".aDA@EXam"', `sw ${start}`, 'ew ".ADA@example.COM"']) {
        expectEqual(
          await matches(`userName ${filter}`),
          ['ada'],
          `the users that ${filter} selects`,
        )
      }
    },
  },
  {
    id: 'filters.gt-lt',
    section: 'RFC 7644 §3.4.2.2',
    level: 'MUST',
    title: 'gt and lt on userName compare the values without the equal one',
    needs: ['check:filters.eq-string'],
    advice: 'Order strings lexicographically. A value that is equal is neither greater nor less.',
    run: async ({ people, matches }) => {
      const name = nameOf((await people()).ada)
      expectEqual(await matches(`userName gt ${name}`), ['bob', 'eve'], 'the users that gt selects')
      expectEqual(await matches(`userName lt ${name}`), [], 'the users that lt selects')
    },
  },
  {
    id: 'filters.ge-le',
    section: 'RFC 7644 §3.4.2.2',
    level: 'MUST',
    title: 'ge and le on userName include the equal value',
    needs: ['check:filters.eq-string'],
    advice: 'Order strings lexicographically, and include the value that is equal.',
    run: async ({ people, matches }) => {
      const name = nameOf((await people()).ada)
      const all = ['ada', 'bob', 'eve']
      expectEqual(await matches(`userName ge ${name}`), all, 'the users that ge selects')
      expectEqual(await matches(`userName le ${name}`), ['ada'], 'the users that le selects')
    },
  },
  selecting({
    id: 'filters.order-case-insensitive',
    section: 'RFC 7643 §7',
    level: 'MUST',
    title: 'gt ignores letter case for an attribute that is not caseExact',
    needs: ['check:filters.gt-lt'],
    advice: 'Fold the letter case of both values before they are ordered.',
    filter: (people) => `userName gt ${startOf(people, 'c')}`,
    selects: ['eve'],
  }),
  selecting({
    id: 'filters.case-exact',
    section: 'RFC 7643 §3.1',
    level: 'MUST',
    title: 'eq on externalId respects letter case',
    needs: ['check:filters.external-id'],
    advice: 'Compare externalId exactly: it is caseExact, and two clients may differ only in case.',
    filter: ({ ada }) => `externalId eq "${String(ada.sent.externalId).toUpperCase()}"`,
    selects: [],
  }),
]
