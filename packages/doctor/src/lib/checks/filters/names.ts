import { ENTERPRISE_USER_SCHEMA } from '@plumbline/scim'
import type { Check } from '../../check.ts'
import { FILTER_ROWS } from '../../rows/filter-rows.ts'
import { RULES } from '../../rules.ts'
import { expectEqual } from '../../toolkit/expect.ts'
import { selecting } from './selecting.ts'

/** Rules for attribute and operator names. */
export const FILTER_NAME_CHECKS: readonly Check[] = [
  selecting({
    id: 'filters.operator-case',
    section: 'RFC 7644 §3.4.2.2',
    level: 'defined',
    quote: 'used in filters are case insensitive',
    isRequired: true,
    row: FILTER_ROWS.operatorsInOtherCase,
    title: 'Operators are accepted in any letter case',
    needs: ['check:filters.or'],
    advice: 'Compare the names of operators without regard to letter case.',
  }),
  selecting({
    id: 'filters.name-case',
    section: 'RFC 7644 §3.4.2.2',
    level: 'defined',
    quote: 'used in filters are case insensitive',
    isRequired: true,
    row: FILTER_ROWS.attributeInOtherCase,
    title: 'Attribute names are accepted in any letter case',
    advice: 'Look up the attributes of a filter without regard to letter case.',
  }),
  selecting({
    id: 'filters.core-urn',
    ...RULES.withUrn,
    isRequired: true,
    row: FILTER_ROWS.coreUrn,
    title: 'An attribute of the core schema is accepted with the URN of the schema',
    advice: 'Remove the URN of the core schema and the colon after it from an attribute name.',
  }),
  selecting({
    id: 'filters.urn-case',
    ...RULES.anyCase,
    isRequired: true,
    row: FILTER_ROWS.coreUrnInOtherCase,
    title: 'The URN of an attribute is accepted in any letter case',
    needs: ['check:filters.core-urn'],
    advice: 'Compare URNs without regard to letter case.',
  }),
  selecting({
    id: 'filters.extension',
    ...RULES.withUrn,
    row: FILTER_ROWS.extension,
    title: 'An attribute of an extension is found by the URN of its schema',
    needs: ['enterprise', `filterable:User.${ENTERPRISE_USER_SCHEMA}:department`],
    advice: 'Read the attribute from the member of the resource that the URN names.',
  }),
  selecting({
    id: 'filters.sub-attribute',
    section: 'RFC 7644 §3.4.2.2',
    level: 'MUST',
    quote: 'a fully qualified sub-attribute MUST be specified using',
    row: FILTER_ROWS.subAttribute,
    otherwise: [FILTER_ROWS.partOfComplex],
    title: 'A sub-attribute is named with a period',
    needs: ['User:complex'],
    advice: 'Read name.familyName as the member familyName of name.',
  }),
  {
    id: 'filters.id',
    section: 'RFC 7643 §3.1',
    level: 'practice',
    title: 'A user is found by a filter on id',
    needs: ['check:filters.eq-string', 'filterable:User.id'],
    advice: 'Support id in filters, also together with other comparisons.',
    affects: { entra: 'Entra ID verifies references, such as the manager, by a filter on id.' },
    run: async ({ people, matches }) => {
      const filter = `id eq ${JSON.stringify((await people()).bob.id)}`
      expectEqual(await matches(filter), ['bob'], `the users that ${filter} selects`)
    },
  },
  selecting({
    id: 'filters.external-id',
    section: 'RFC 7643 §3.1',
    level: 'practice',
    row: FILTER_ROWS.externalId,
    title: 'A user is found by a filter on externalId',
    needs: ['filterable:User.externalId'],
    advice: 'Support externalId in filters, with an index.',
    affects: { entra: 'Many applications match users by externalId, which is the default.' },
  }),
]
