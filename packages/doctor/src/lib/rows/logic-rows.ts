import { USER_SCHEMA } from '@plumbline/scim'
import type { FilterRow } from './filter-row.ts'

/** The name of a row about logical operators or a value path. */
export type LogicRowName =
  | 'and'
  | 'or'
  | 'andOfThree'
  | 'orOfThree'
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
  | 'bracketsOfWork'
  | 'notInBracketsOfWork'
  | 'workAndComparison'
  | 'namesOfWork'

/** Filters with `and`, `or` and `not`, and with value paths (RFC 7644 §3.4.2.2). */
export const LOGIC_ROWS: Readonly<Record<LogicRowName, FilterRow>> = {
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
  // If any one of the three operands is dropped, each filter selects other users.
  andOfThree: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'logic',
    filter: (tag) =>
      `userName ne "${tag}.bob@example.com" and userName ne "${tag}.EVE@example.com" and userName ne "${tag}.Ada@example.com"`,
    selects: [],
  },
  orOfThree: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'logic',
    filter: (tag) =>
      `userName eq "${tag}.EVE@example.com" or userName eq "${tag}.Ada@example.com" or userName eq "${tag}.bob@example.com"`,
    selects: ['ada', 'bob', 'eve'],
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
  // A server with one address has these rows.
  bracketsOfWork: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'value path',
    filter: () => 'emails[type eq "work"]',
    selects: ['ada', 'bob'],
  },
  notInBracketsOfWork: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'value path',
    filter: () => 'emails[type eq "work" and not (value co ".bob@")]',
    selects: ['ada'],
  },
  workAndComparison: {
    section: 'RFC 7644 §3.4.2.2',
    about: 'value path',
    filter: (tag) => `emails[type eq "work"] and userName ne "${tag}.Ada@example.com"`,
    selects: ['bob'],
  },
  namesOfWork: {
    section: 'RFC 7644 §3.10',
    about: 'value path',
    filter: () => `${USER_SCHEMA}:EMAILS[TYPE eq "work"]`,
    selects: ['ada', 'bob'],
  },
}
