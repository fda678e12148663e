import type { Check } from '../../check.ts'
import { memberAt } from '../../json.ts'
import type { ExaminedType } from '../../model/types.ts'
import { isWritable } from '../../model/types.ts'
import { FILTER_ROWS } from '../../rows/filter-rows.ts'
import { RULES } from '../../rules.ts'
import { expectEqual, expectError, expectList } from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'
import { nameOf, selecting } from './selecting.ts'

/** Rules for value types, and how filters write them. */
export const FILTER_VALUE_CHECKS: readonly Check[] = [
  selecting({
    id: 'filters.escapes',
    ...RULES.matching,
    row: FILTER_ROWS.escapedQuotes,
    title: 'A string with escaped quotation marks is read as JSON',
    needs: ['User:text', 'filterable:User:text'],
    advice: 'Parse the value of a comparison with the rules of JSON strings.',
  }),
  selecting({
    id: 'filters.unicode',
    ...RULES.matching,
    row: FILTER_ROWS.unicode,
    title: 'A string with letters outside of ASCII is found',
    needs: ['User:text', 'filterable:User:text'],
    advice: 'Decode the query as UTF-8 after percent-decoding.',
    affects: { entra: 'Users with such names are created a second time.' },
  }),
  selecting({
    id: 'filters.unicode-escape',
    ...RULES.matching,
    row: FILTER_ROWS.unicodeEscape,
    title: 'A Unicode escape in a string is read as JSON',
    needs: ['check:filters.unicode'],
    advice: 'Parse the value of a comparison with the rules of JSON strings.',
  }),
  selecting({
    id: 'filters.multi-valued',
    ...RULES.matching,
    row: FILTER_ROWS.anyValue,
    otherwise: [FILTER_ROWS.onlyValue],
    title: 'A filter on a multi-valued attribute matches if any of the values matches',
    needs: ['User:list', 'filterable:User:list'],
    advice: 'Compare every value, not only the first or the primary one.',
  }),
  selecting({
    id: 'filters.default-sub-attribute',
    section: 'RFC 7643 §2.4',
    level: 'practice',
    isRequired: true,
    row: FILTER_ROWS.defaultSubAttribute,
    otherwise: [FILTER_ROWS.defaultOfOnly],
    title: 'A multi-valued attribute without a sub-attribute is compared by its value',
    needs: ['check:filters.multi-valued'],
    advice: 'Read emails as emails.value in a comparison. Ping sends such filters.',
  }),
  selecting({
    id: 'filters.boolean',
    ...RULES.matching,
    level: 'defined',
    row: FILTER_ROWS.boolean,
    title: 'eq compares booleans that are written without quotation marks',
    needs: ['filterable:User.active'],
    advice: 'Accept true and false as values of a comparison.',
  }),
  {
    id: 'filters.boolean-order',
    section: 'RFC 7644 §3.4.2.2',
    level: 'MUST',
    quote: 'Boolean and Binary attributes SHALL cause a failed',
    title: 'gt on a boolean is rejected',
    needs: ['check:filters.boolean'],
    advice: 'Answer 400 invalidFilter: booleans do not have an order.',
    run: async ({ get, type }) => {
      const query = { filter: 'active gt false' }
      expectError(await get(type('User').endpoint, { query }), 400, 'invalidFilter')
    },
  },
  {
    id: 'filters.date-order',
    ...RULES.matching,
    title: 'meta.lastModified is compared in chronological order',
    needs: ['check:filters.eq-string', 'filterable:User.meta.lastModified'],
    advice: 'Support meta.lastModified in filters, and compare instants.',
    run: async ({ people, matches }) => {
      const { bob } = await people()
      if (memberAt(bob.body, 'meta.lastModified') === undefined) {
        skip('The response of a POST does not have meta.lastModified.')
      }
      const name = nameOf(bob)
      const after = `userName eq ${name} and meta.lastModified gt "2000-01-01T00:00:00Z"`
      const before = `userName eq ${name} and meta.lastModified lt "2000-01-01T00:00:00Z"`
      expectEqual(await matches(after), ['bob'], 'the users that were modified after 2000')
      expectEqual(await matches(before), [], 'the users that were modified before 2000')
    },
  },
  {
    id: 'filters.date-offset',
    ...RULES.matching,
    title: 'The offset of a date is part of its value',
    needs: ['check:filters.date-order'],
    advice: 'Convert dates to instants before they are compared, and do not compare their text.',
    run: async ({ people, matches }) => {
      const { bob } = await people()
      const modified = Date.parse(String(memberAt(bob.body, 'meta.lastModified')))
      if (Number.isNaN(modified)) skip('The response of a POST does not have meta.lastModified.')
      const [earlier, later] = [modified - HOUR, modified + HOUR]
      const filter = `meta.lastModified gt "${withOffset(earlier, 5)}" and meta.lastModified lt "${withOffset(later, -5)}"`
      const found = await matches(`userName eq ${nameOf(bob)} and ${filter}`)
      expectEqual(found, ['bob'], `the users that ${filter} selects`)
    },
  },
  {
    id: 'filters.integer',
    ...RULES.matching,
    title: 'Integers are compared by their numeric value',
    needs: ['custom', 'write', 'filter'],
    advice: 'Compare numbers, not their digits: 10 is greater than 9.',
    run: async ({ types, create, get }) => {
      const { name, endpoint, attribute } = typeWithInteger(types)
      const { id } = await create(name, { [attribute]: 10 })
      const filter = `${attribute} gt 9`
      const response = await get(endpoint, { query: { filter, count: 100 } })
      if (memberAt(response.body, 'scimType') === 'invalidFilter') {
        skip(`The server does not filter by ${attribute}.`)
      }
      const isFound = expectList(response).some((one) => one.id === id)
      expectEqual(isFound, true, `whether ${filter} selects a ${name} with the value 10`)
    },
  },
]

function typeWithInteger(types: readonly ExaminedType[]) {
  for (const { name, endpoint, schema, definitions } of types) {
    const found = definitions[schema]?.attributes.find(
      (one) => one.type === 'integer' && one.multiValued !== true && isWritable(one),
    )
    if (found !== undefined) return { name, endpoint, attribute: found.name }
  }
  return skip('No resource type of the server has an integer.')
}

/** An instant as text in a time zone. */
function withOffset(instant: number, hours: 5 | -5): string {
  const local = new Date(instant + hours * HOUR).toISOString().slice(0, -1)
  return `${local}${hours < 0 ? '-' : '+'}05:00`
}

const HOUR = 3_600_000
