/** A filter over users, and a fact about the condition of its rows. */
export interface ConditionCase {
  readonly shows: string
  readonly section: string
  readonly filter: string
  /** Whether the tenant has values whose keys contain a hash. */
  readonly hasHashes?: boolean
}

const rows = (section: string, entries: Readonly<Record<string, string>>): ConditionCase[] =>
  Object.entries(entries).map(([shows, filter]) => ({ shows, section, filter }))

const LONG = 'x'.repeat(301)

export const CONDITION_CASES: readonly ConditionCase[] = [
  ...rows('RFC 7644 §3.4.2.2', {
    'a value is compared by its key': 'emails.value eq "Ada@example.com"',
    'a value is compared by default': 'emails eq "ada@example.com"',
    'a start is a range of keys': 'emails.value sw "Ada"',
    'an empty start is any value': 'emails.value sw ""',
    'a part is searched for as it is': 'emails.value co "50%_!"',
    'an end is searched for as it is': 'emails.value ew "@Example.com"',
    'a part that is too long for a key is in none': `emails.value co "${LONG}"`,
    'a part with U+0000 is in none': 'emails.value co "\\u0000"',
    'an order with U+0000 is left to memory': 'emails.value gt "\\u0000"',
    'keys are ordered as values': 'emails.value gt "b"',
    'keys are ordered as values, ge': 'emails.value ge "b"',
    'keys are ordered as values, lt': 'emails.value lt "b"',
    'keys are ordered as values, le': 'emails.value le "b"',
    'a long value is compared by its hash': `emails.value eq "${LONG}"`,
    'a value is present if it is not empty': 'emails.value pr',
    'an attribute is present if a part is': 'emails pr',
    'the attribute is not present': 'not (emails pr)',
    'some value differs, or none is assigned': 'emails.value ne "a"',
    'a binary value keeps its letter case': 'x509Certificates.value eq "QUJD"',
    'a boolean is a key': 'emails.primary eq true',
    'a type is in a column of each row': 'emails.type eq "Work"',
    'all conditions of brackets are about one element': 'emails[value co "x" and display eq "y"]',
    'the first condition that an index serves selects the rows':
      'emails[display co "x" and display sw "y" and value eq "z"]',
    'the first condition on a row selects the rows if an index serves none':
      'emails[type eq "work" and value co "x" and display co "y"]',
    'conditions on columns alone select any row': 'emails[type eq "work" and primary eq true]',
    'a negated column is assigned, or it does not match': 'emails[not (type eq "work")]',
    'a negated primary value': 'emails[not (primary eq true)]',
    'ne in brackets is the negation of eq': 'emails[value ne "a" and type ne "work"]',
    'a negated disjunction is a conjunction':
      'emails[value eq "a" and not (type eq "work" or display eq "b")]',
    'a negated conjunction is a disjunction':
      'emails[value eq "a" and not (type eq "work" and display eq "b")]',
    'a disjunction of equal parts is one selection':
      'emails.value eq "a" or emails.value eq "b" or emails.type eq "work"',
    'a disjunction in brackets is one of selections':
      'emails[value eq "a" or value eq "b" or type eq "work"]',
    'a disjunction next to another condition is in its selection':
      'emails[value eq "a" and (type eq "work" or display eq "b")]',
    'a negated selection': 'not (emails[type eq "work" and value eq "a"])',
    'a negated conjunction of attributes': 'not (emails.value eq "a" and userName eq "b")',
    'a negated disjunction of attributes': 'not (emails.value eq "a" or userName eq "b")',
    'a double negation': 'not (not (emails.value eq "a"))',
    'a part that the index does not have is left to memory': 'emails[other eq "a"]',
    'the rest of brackets is left to memory': 'emails[value eq "a" and other eq "b"]',
    'a part of a disjunction that is unknown leaves all to memory':
      'emails[value eq "a" and (other eq "b" or type eq "work")]',
    'a URN in brackets is not a part':
      'emails[urn:ietf:params:scim:schemas:core:2.0:User:value eq "a"]',
    'a column is compared': 'userName eq "Ada"',
    'a column is not assigned': 'title eq null',
    'a column is assigned': 'title ne null',
    'a column is present': 'title pr',
    'a column is not present': 'not (title pr)',
    'a boolean column': 'active eq true',
    'a boolean column that differs': 'active ne false',
    'a column contains a part': 'title co "50%_!"',
    'columns are ordered': 'title gt "a" and title le "b"',
    'a column and a selection': 'title sw "a" and emails.value eq "b"',
    'an attribute without a column is left to memory': 'locale eq "de"',
    'an attribute without a column in a disjunction leaves all to memory':
      'locale eq "de" or userName eq "a"',
    'attributes without a column in a conjunction are left to memory':
      'locale eq "de" and emails.value eq "b" and timezone eq "x" and userName eq "a"',
    'a disjunction with brackets of several conditions keeps them':
      'emails[value eq "a" and type eq "work"] or emails.value eq "b"',
    'a conjunction of attributes without a column selects nothing':
      'locale eq "de" and timezone eq "x"',
    'a dotted name in brackets is not a part': 'emails[value.display eq "a"]',
    'an attribute without a column in a conjunction is left to memory':
      'locale eq "de" and userName eq "a" and emails.value eq "b"',
  }),
  ...rows('RFC 7643 §2.5', {
    'null is unassigned': 'emails eq null',
    'any value differs from null': 'emails ne null',
    'a part that is null is left to memory': 'emails.value eq null',
  }),
  ...rows('RFC 7644 §3.10', {
    'an attribute with its URN': 'urn:ietf:params:scim:schemas:core:2.0:User:emails.value eq "a"',
  }),
  ...Object.entries({
    'a hash may belong to a value that matches': 'emails.value co "a"',
    'its negation is left to memory': 'not (emails.value co "a")',
    'its negation in brackets is left to memory': 'emails[type eq "work" and not (value co "a")]',
    'an equal value is still exact': 'emails.value eq "a"',
  }).map(([shows, filter]) => ({
    shows: `with hashed keys, ${shows}`,
    section: 'RFC 7644 §3.4.2.2',
    filter,
    hasHashes: true,
  })),
]
