import { ENTERPRISE_USER_SCHEMA, USER_SCHEMA } from '../../constants.ts'
import type { PersonName } from './people.ts'

/** A filter, and the people of `peopleOf` that it selects. */
export interface FilterRow {
  /** The section of the standard that says so. */
  readonly section: string
  /** The values that are compared. */
  readonly about: 'text' | 'exact text' | 'boolean' | 'logic' | 'value path'
  /** Returns the text of the filter, for people with the tag. */
  readonly filter: (tag: string) => string
  /** The names of the selected people, in alphabetical order. */
  readonly selects: readonly PersonName[]
}

/** The name of a row of `FILTER_ROWS`. */
export type FilterRowName =
  | 'equal'
  | 'equalInUpperCase'
  | 'notEqual'
  | 'contains'
  | 'containsInOtherCase'
  | 'startsWith'
  | 'startsWithInOtherCase'
  | 'endsWith'
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
  | 'and'
  | 'or'
  | 'operatorsInOtherCase'
  | 'not'
  | 'notWithoutValue'
  | 'precedence'
  | 'parentheses'
  | 'negatedGroup'
  | 'brackets'
  | 'andInBrackets'
  | 'sameValue'
  | 'orInBrackets'
  | 'notInBrackets'
  | 'booleanInBrackets'
  | 'bracketsAndComparison'
  | 'namesOfBrackets'
  | 'subAttributeOfBrackets'

/**
 * Filters over the people of `peopleOf`, and the people that each of them selects. `storeContract` and the checks of
 * `@plumbline/doctor` take their filters from this table.
 *
 * The rows hold for the attributes as RFC 7643 defines them: a `userName` that is `caseExact` gives other results.
 * Other users of a server may match, too.
 *
 * @example
 * ```ts
 * import { FILTER_ROWS } from '@plumbline/scim/testing'
 *
 * const { filter, selects } = FILTER_ROWS.startsWith
 * filter('run-1') //=> 'userName sw "run-1.EV"'
 * selects //=> ['eve']
 * ```
 * @see RFC 7644 §3.4.2.2
 */
export const FILTER_ROWS: Readonly<Record<FilterRowName, FilterRow>> = {
  equal: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'text',
    filter: (tag) => `userName eq "${tag}.Ada@example.com"`,
    selects: ['ada'],
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
  and: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'logic',
    filter: (tag) =>
      `userName ne "${tag}.bob@example.com" and userName eq "${tag}.Ada@example.com"`,
    selects: ['ada'],
  },
  or: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'logic',
    filter: (tag) => `userName eq "${tag}.EVE@example.com" or userName eq "${tag}.Ada@example.com"`,
    selects: ['ada', 'eve'],
  },
  operatorsInOtherCase: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'logic',
    filter: (tag) => `userName EQ "${tag}.Ada@example.com" OR userName Eq "${tag}.bob@example.com"`,
    selects: ['ada', 'bob'],
  },
  not: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'logic',
    filter: (tag) => `not (userName eq "${tag}.Ada@example.com")`,
    selects: ['bob', 'eve'],
  },
  notWithoutValue: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'logic',
    filter: () => 'not (title eq "Engineer")',
    selects: ['bob', 'eve'],
  },
  precedence: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'logic',
    filter: (tag) =>
      `userName eq "${tag}.Ada@example.com" or userName eq "${tag}.bob@example.com" and userName eq "${tag}.EVE@example.com"`,
    selects: ['ada'],
  },
  parentheses: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'logic',
    filter: (tag) =>
      `(userName eq "${tag}.Ada@example.com" or userName eq "${tag}.bob@example.com") and userName ne "${tag}.Ada@example.com"`,
    selects: ['bob'],
  },
  negatedGroup: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'logic',
    filter: (tag) =>
      `not (userName eq "${tag}.Ada@example.com" and userName eq "${tag}.bob@example.com")`,
    selects: ['ada', 'bob', 'eve'],
  },
  brackets: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'value path',
    filter: () => 'emails[type eq "home"]',
    selects: ['ada', 'eve'],
  },
  andInBrackets: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'value path',
    filter: () => 'emails[type eq "work" and value co ".Ada@"]',
    selects: ['ada'],
  },
  sameValue: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'value path',
    filter: () => 'emails[type eq "work" and value co "@home.example"]',
    selects: [],
  },
  orInBrackets: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'value path',
    filter: () => 'emails[type eq "other" or value co ".bob@"]',
    selects: ['bob'],
  },
  notInBrackets: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'value path',
    filter: () => 'emails[not (type eq "work")]',
    selects: ['ada', 'eve'],
  },
  booleanInBrackets: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'value path',
    filter: () => 'emails[primary eq true]',
    selects: ['ada', 'bob'],
  },
  bracketsAndComparison: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'value path',
    filter: (tag) => `emails[type eq "home"] and userName ne "${tag}.Ada@example.com"`,
    selects: ['eve'],
  },
  namesOfBrackets: {
    section: 'RFC 7644 §3.10',
    about: 'value path',
    filter: () => `${USER_SCHEMA}:EMAILS[TYPE eq "home"]`,
    selects: ['ada', 'eve'],
  },
  subAttributeOfBrackets: {
    section: 'RFC 7644 §3.5.2',
    about: 'value path',
    filter: (tag) => `emails[type eq "work"].value eq "${tag}.bob@example.com"`,
    selects: ['bob'],
  },
}
