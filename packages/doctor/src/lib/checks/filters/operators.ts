import type { Check } from '../../check.ts'
import { FILTER_ROWS } from '../../rows/filter-rows.ts'
import { RULES } from '../../rules.ts'
import { expectEqual, expectList, expectStatus } from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'
import { readResource } from '../../toolkit/patch.ts'
import { expectRows, selecting } from './selecting.ts'

const PARTS_IN_OTHER_CASE = [
  FILTER_ROWS.containsInOtherCase,
  FILTER_ROWS.startsWithInOtherCase,
  FILTER_ROWS.endsWithInOtherCase,
]

/** Rules for comparison operators. */
export const FILTER_OPERATOR_CHECKS: readonly Check[] = [
  {
    id: 'filters.eq-string',
    ...RULES.matching,
    title: 'eq on userName selects exactly the user with that value',
    needs: ['filter', 'check:create.user'],
    advice: 'Compare the whole value, and return only resources that match.',
    affects: {
      entra: 'Existing users are not found, and are created a second time.',
      okta: 'Imported users are not matched.',
    },
    run: (server) => expectRows(server, FILTER_ROWS.equal, FILTER_ROWS.equalToPart),
  },
  {
    id: 'filters.supported',
    section: 'RFC 7644 §3.4.2.2',
    level: 'practice',
    title: 'The filters of identity providers are supported: eq, and two comparisons with and',
    needs: ['check:create.user'],
    advice: 'Support eq on userName, also together with another comparison.',
    affects: {
      entra: 'Existing users are not found, and are created a second time.',
      okta: 'Imported users are not matched.',
    },
    run: async ({ people, get, type }) => {
      const name = `userName eq ${JSON.stringify((await people()).ada.sent.userName)}`
      for (const filter of [name, `${name} and userName pr`]) {
        expectStatus(await get(type('User').endpoint, { query: { filter, count: 1 } }), 200)
      }
    },
  },
  {
    id: 'filters.case-insensitive',
    ...RULES.caseExact,
    title: 'eq ignores letter case for an attribute that is not caseExact',
    needs: ['filter', 'check:filters.eq-string'],
    advice: 'Compare strings of attributes with caseExact false without regard to letter case.',
    affects: { entra: 'A user whose name differs in letter case is created a second time.' },
    run: (server) => expectRows(server, FILTER_ROWS.equalInUpperCase),
  },
  {
    id: 'filters.renamed',
    ...RULES.matching,
    title: 'A user who was renamed is found by the new userName, and not by the old one',
    needs: ['write', 'check:filters.eq-string', 'check:create.user', 'User.userName'],
    advice:
      'Update the column or the index that the filter reads, and discard cached look-ups with each write.',
    affects: {
      entra: 'A renamed user is not found, and is created a second time.',
      okta: 'A renamed user is not found, and is created a second time.',
    },
    run: async (server) => {
      const { id, path, sent } = await server.create('User')
      const isFound = async (userName: unknown): Promise<boolean> => {
        const query = { filter: `userName eq ${JSON.stringify(userName)}`, count: 10 }
        const users = expectList(await server.get(server.type('User').endpoint, { query }))
        return users.some((user) => user.id === id)
      }
      const { userName } = server.sample('User')
      // A server may cache both look-ups.
      expectEqual(await isFound(sent.userName), true, 'whether the userName finds the user')
      expectEqual(await isFound(userName), false, 'whether another userName finds the user')
      const { status } = await server.put(path, { ...sent, userName })
      const { userName: stored } = await readResource(server, path)
      if (status >= 400 || stored === sent.userName) skip('The server does not change userName.')
      expectEqual(await isFound(stored), true, 'whether the new userName finds the user')
      expectEqual(await isFound(sent.userName), false, 'whether the old userName finds the user')
    },
  },
  selecting({
    id: 'filters.ne',
    ...RULES.matching,
    row: FILTER_ROWS.notEqual,
    title: 'ne on userName selects every user with another value',
    advice: 'Return the resources whose value differs from the one of the filter.',
  }),
  selecting({
    id: 'filters.ne-case-insensitive',
    ...RULES.caseExact,
    row: FILTER_ROWS.notEqualInUpperCase,
    title: 'ne ignores letter case for an attribute that is not caseExact',
    needs: ['check:filters.ne', 'check:filters.case-insensitive'],
    advice: 'Return the resources that eq does not select: compare in the same way.',
  }),
  selecting({
    id: 'filters.co',
    ...RULES.matching,
    row: FILTER_ROWS.contains,
    title: 'co selects the users whose value contains the text',
    advice: 'Search the text at every position of the value, and escape the wildcards of SQL.',
  }),
  selecting({
    id: 'filters.sw',
    ...RULES.matching,
    row: FILTER_ROWS.startsWith,
    misplaced: FILTER_ROWS.startsElsewhere,
    title: 'sw selects the users whose value starts with the text',
    advice: 'Compare the text with the start of the value.',
  }),
  selecting({
    id: 'filters.ew',
    ...RULES.matching,
    row: FILTER_ROWS.endsWith,
    misplaced: FILTER_ROWS.endsElsewhere,
    title: 'ew selects the users whose value ends with the text',
    advice: 'Compare the text with the end of the value.',
  }),
  {
    id: 'filters.parts-case-insensitive',
    ...RULES.caseExact,
    title: 'co, sw and ew ignore letter case for an attribute that is not caseExact',
    needs: ['check:filters.co', 'check:filters.sw', 'check:filters.ew'],
    advice: 'Fold the letter case of the value and of the text before they are compared.',
    run: (server) => expectRows(server, ...PARTS_IN_OTHER_CASE),
  },
  {
    id: 'filters.gt-lt',
    ...RULES.matching,
    title: 'gt and lt on userName compare the values without the equal one',
    needs: ['check:filters.eq-string'],
    advice: 'Order strings lexicographically. A value that is equal is neither greater nor less.',
    run: (server) => expectRows(server, FILTER_ROWS.greater, FILTER_ROWS.less),
  },
  {
    id: 'filters.ge-le',
    ...RULES.matching,
    title: 'ge and le on userName include the equal value',
    needs: ['check:filters.eq-string'],
    advice: 'Order strings lexicographically, and include the value that is equal.',
    run: (server) => expectRows(server, FILTER_ROWS.greaterOrEqual, FILTER_ROWS.lessOrEqual),
  },
  selecting({
    id: 'filters.order-case-insensitive',
    ...RULES.caseExact,
    row: FILTER_ROWS.greaterInOtherCase,
    title: 'gt ignores letter case for an attribute that is not caseExact',
    needs: ['check:filters.gt-lt'],
    advice: 'Fold the letter case of both values before they are ordered.',
  }),
  selecting({
    id: 'filters.case-exact',
    ...RULES.caseExact,
    row: FILTER_ROWS.externalIdInUpperCase,
    title: 'eq on externalId respects letter case',
    needs: ['check:filters.external-id'],
    advice: 'Compare externalId exactly: it is caseExact, and two clients may differ only in case.',
  }),
]
