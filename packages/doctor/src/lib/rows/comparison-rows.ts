import { ENTERPRISE_USER_SCHEMA, USER_SCHEMA } from '@plumbline/scim'
import type { FilterRow } from './filter-row.ts'

/** The name of a row about one comparison. */
export type ComparisonRowName =
  | 'equal'
  | 'equalToPart'
  | 'equalInUpperCase'
  | 'notEqual'
  | 'notEqualInUpperCase'
  | 'contains'
  | 'containsInOtherCase'
  | 'startsWith'
  | 'startsElsewhere'
  | 'startsWithInOtherCase'
  | 'endsWith'
  | 'endsElsewhere'
  | 'endsWithInOtherCase'
  | 'greater'
  | 'less'
  | 'greaterOrEqual'
  | 'lessOrEqual'
  | 'greaterInOtherCase'
  | 'present'
  | 'notEqualWithoutValue'
  | 'equalToNull'
  | 'escapedQuotes'
  | 'unicode'
  | 'unicodeEscape'
  | 'anyValue'
  | 'defaultSubAttribute'
  | 'attributeInOtherCase'
  | 'coreUrn'
  | 'coreUrnInOtherCase'
  | 'extension'
  | 'subAttribute'
  | 'externalId'
  | 'externalIdInUpperCase'
  | 'boolean'
  | 'onlyValue'
  | 'defaultOfOnly'
  | 'partOfComplex'

/** Filters with one comparison (RFC 7644 §3.4.2.2). */
export const COMPARISON_ROWS: Readonly<Record<ComparisonRowName, FilterRow>> = {
  equal: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'text',
    filter: (tag) => `userName eq "${tag}.Ada@example.com"`,
    selects: ['ada'],
  },
  equalToPart: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'text',
    filter: (tag) => `userName eq "${tag}.Ada@"`,
    selects: [],
  },
  equalInUpperCase: {
    section: 'RFC 7643 §2.2',
    about: 'text',
    filter: (tag) => `userName eq "${tag.toUpperCase()}.ADA@EXAMPLE.COM"`,
    selects: ['ada'],
  },
  notEqual: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'text',
    filter: (tag) => `userName ne "${tag}.Ada@example.com"`,
    selects: ['bob', 'eve'],
  },
  notEqualInUpperCase: {
    section: 'RFC 7643 §7',
    about: 'text',
    filter: (tag) => `userName ne "${tag.toUpperCase()}.ADA@EXAMPLE.COM"`,
    selects: ['bob', 'eve'],
  },
  contains: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'text',
    filter: () => 'userName co ".Ada@exam"',
    selects: ['ada'],
  },
  containsInOtherCase: {
    section: 'RFC 7643 §7',
    about: 'text',
    filter: () => 'userName co ".aDA@EXam"',
    selects: ['ada'],
  },
  startsWith: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'text',
    filter: (tag) => `userName sw "${tag}.EV"`,
    selects: ['eve'],
  },
  startsElsewhere: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'text',
    filter: () => 'userName sw ".Ada@"',
    selects: [],
  },
  startsWithInOtherCase: {
    section: 'RFC 7643 §7',
    about: 'text',
    filter: (tag) => `userName sw "${tag}.ada"`,
    selects: ['ada'],
  },
  endsWith: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'text',
    filter: () => 'userName ew ".bob@example.com"',
    selects: ['bob'],
  },
  endsElsewhere: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'text',
    filter: () => 'userName ew ".Ada@"',
    selects: [],
  },
  endsWithInOtherCase: {
    section: 'RFC 7643 §7',
    about: 'text',
    filter: () => 'userName ew ".ADA@example.COM"',
    selects: ['ada'],
  },
  greater: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'text',
    filter: (tag) => `userName gt "${tag}.Ada@example.com"`,
    selects: ['bob', 'eve'],
  },
  less: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'text',
    filter: (tag) => `userName lt "${tag}.Ada@example.com"`,
    selects: [],
  },
  greaterOrEqual: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'text',
    filter: (tag) => `userName ge "${tag}.Ada@example.com"`,
    selects: ['ada', 'bob', 'eve'],
  },
  lessOrEqual: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'text',
    filter: (tag) => `userName le "${tag}.Ada@example.com"`,
    selects: ['ada'],
  },
  greaterInOtherCase: {
    section: 'RFC 7643 §7',
    about: 'text',
    filter: (tag) => `userName gt "${tag}.c"`,
    selects: ['eve'],
  },
  present: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'text',
    filter: () => 'title pr',
    selects: ['ada', 'eve'],
  },
  notEqualWithoutValue: {
    section: 'RFC 7643 §2.5',
    about: 'text',
    filter: () => 'title ne "Engineer"',
    selects: ['bob', 'eve'],
  },
  equalToNull: {
    section: 'RFC 7643 §2.5',
    about: 'text',
    filter: () => 'title eq null',
    selects: ['bob'],
  },
  escapedQuotes: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'text',
    filter: () => 'displayName eq "EVE \\"Z\\" ZIMMER"',
    selects: ['eve'],
  },
  unicode: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'text',
    filter: () => 'displayName eq "Ada Müller"',
    selects: ['ada'],
  },
  unicodeEscape: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'text',
    filter: () => 'displayName eq "Ada M\\u00fcller"',
    selects: ['ada'],
  },
  anyValue: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'text',
    filter: (tag) => `emails.value eq "${tag}.ada@home.example"`,
    selects: ['ada'],
  },
  defaultSubAttribute: {
    section: 'RFC 7643 §2.4',
    about: 'text',
    filter: (tag) => `emails eq "${tag}.ada@home.example"`,
    selects: ['ada'],
  },
  attributeInOtherCase: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'text',
    filter: (tag) => `USERNAME eq "${tag}.Ada@example.com"`,
    selects: ['ada'],
  },
  coreUrn: {
    section: 'RFC 7644 §3.10',
    about: 'text',
    filter: (tag) => `${USER_SCHEMA}:userName eq "${tag}.Ada@example.com"`,
    selects: ['ada'],
  },
  coreUrnInOtherCase: {
    section: 'RFC 7644 §3.10',
    about: 'text',
    filter: (tag) => `${USER_SCHEMA.toUpperCase()}:userName eq "${tag}.Ada@example.com"`,
    selects: ['ada'],
  },
  extension: {
    section: 'RFC 7644 §3.10',
    about: 'text',
    filter: () => `${ENTERPRISE_USER_SCHEMA}:department eq "Sales"`,
    selects: ['bob'],
  },
  subAttribute: {
    section: 'RFC 7644 §3.10',
    about: 'text',
    filter: () => 'name.familyName eq "adams"',
    selects: ['bob'],
  },
  externalId: {
    section: 'RFC 7643 §3.1',
    about: 'exact text',
    filter: (tag) => `externalId eq "${tag}-Ada"`,
    selects: ['ada'],
  },
  externalIdInUpperCase: {
    section: 'RFC 7643 §3.1',
    about: 'exact text',
    filter: (tag) => `externalId eq "${tag.toUpperCase()}-ADA"`,
    selects: [],
  },
  boolean: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'boolean',
    filter: () => 'active eq false',
    selects: ['bob'],
  },
  // A server with one address, or with few attributes, has these rows.
  onlyValue: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'text',
    filter: (tag) => `emails.value eq "${tag}.bob@example.com"`,
    selects: ['bob'],
  },
  defaultOfOnly: {
    section: 'RFC 7643 §2.4',
    about: 'text',
    filter: (tag) => `emails eq "${tag}.bob@example.com"`,
    selects: ['bob'],
  },
  partOfComplex: {
    section: 'RFC 7644 §3.10',
    about: 'text',
    filter: () => 'displayName eq "bob adams"',
    selects: ['bob'],
  },
}
