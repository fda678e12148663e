import { unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { parseFilter } from '../filter/parse.ts'
import type { SqlColumnMap } from './columns.ts'
import type { Predicate } from './predicate.ts'
import { translateFilter } from './translate.ts'
import type { Capabilities } from './translation.ts'

const all: Capabilities = { escapes: true, negations: true, selections: true }

const columns: SqlColumnMap = {
  emails: {
    table: 'mails',
    on: { person: 'id', tenant: 'tenant' },
    columns: { Value: 'mail', type: { column: 'kind', folded: true }, primary: 'is_primary' },
  },
  'phoneNumbers[work].value': 'phone',
  'phoneNumbers[work].display': 'phone_name',
  'ims[xmpp].value': 'jabber',
  'ims[skype].value': 'skype',
}

/** The predicate of a filter, and the reason why it is not exact. */
function translate(filter: string, map = columns): readonly [where: string, reason: string | null] {
  const translation = unwrap(translateFilter(unwrap(parseFilter(filter)), map, all))
  const { where, inexactReason } = translation
  return [where === null ? 'null' : write(where), inexactReason?.message() ?? null]
}

function write(predicate: Predicate): string {
  switch (predicate.type) {
    case 'comparison':
      return `${predicate.column} ${predicate.operator} ${JSON.stringify(predicate.value)}`
    case 'in':
    case 'foldedIn':
      return `${predicate.column} ${predicate.type} ${predicate.values.join()}`
    case 'match':
      return `${predicate.column} ${predicate.negated ? 'unlike' : 'like'} ${predicate.pieces.join('%')}`
    case 'null':
      return `${predicate.column} ${predicate.negated ? 'not null' : 'null'}`
    case 'logical': {
      const { operator, operands } = predicate
      if (operands.length === 0) return { and: 'true', or: 'false' }[operator]
      return `(${operands.map(write).join(` ${operator} `)})`
    }
    case 'exists': {
      const { join, where, negated } = predicate
      const on = join.on.map(([column, own]) => `${column}=${own}`).join(', ')
      return `${negated ? 'none of' : 'some of'} ${join.table}(${on}) where ${write(where)}`
    }
  }
}

describe("a filter that a multi-valued attribute's values do not support", () => {
  it.each([
    'emails gt null',
    'emails.value gt null',
    'phoneNumbers gt null',
    'phoneNumbers[type gt null]',
    'phoneNumbers[type eq 5]',
  ])('%s is invalidFilter (RFC 7644 Table 9)', (filter) => {
    expect(translateFilter(unwrap(parseFilter(filter)), columns, all)).toMatchObject({
      error: { status: 400, scimType: 'invalidFilter' },
    })
  })
})

it('a value path on a sub-attribute, in a hand-built tree, runs in memory', () => {
  const path = { schema: null, attribute: 'emails', subAttribute: 'value' }
  const filter = unwrap(parseFilter('type eq "work"'))
  const translation = unwrap(translateFilter({ type: 'valuePath', path, filter }, columns, all))
  expect(translation.where).toBeNull()
  expect(translation.inexactReason?.message()).toContain('a value path tests one element')
})

it.each([
  [255, 'exact'],
  [256, 'too large'],
])('%d levels of negations in a hand-built value path are %s', (levels, outcome) => {
  let filter = unwrap(parseFilter('type eq "a"'))
  for (let at = 0; at < levels; at += 1) filter = { type: 'not', operand: filter }
  const path = { schema: null, attribute: 'emails', subAttribute: null }
  const translation = unwrap(translateFilter({ type: 'valuePath', path, filter }, columns, all))
  const message = 'the filter is too large or nested too deep for one SQL statement'
  const reason = translation.inexactReason?.message() ?? ''
  expect(reason.endsWith(message)).toBe(outcome === 'too large')
  expect(translation.residual === null).toBe(outcome === 'exact')
})

const SOME = 'some of mails(person=id, tenant=tenant) where'
const NONE = 'none of mails(person=id, tenant=tenant) where'

describe('a multi-valued attribute in a separate table (RFC 7644 §3.4.2.2)', () => {
  it.each([
    ['emails.value eq "a"', `${SOME} mail eq "a"`],
    ['not (emails.value eq "a")', `${NONE} mail eq "a"`],
    // RFC 7643 §2.4: `value` is the significant part.
    ['emails eq "a"', `${SOME} mail eq "a"`],
    ['EMAILS.VALUE eq "a"', `${SOME} mail eq "a"`],
    ['emails.type sw "w"', `${SOME} (kind gte "w" and kind lt "x")`],
    // `ne` also matches without values.
    ['emails.value ne "a"', `(${SOME} (mail null or mail ne "a") or ${NONE} true)`],
    ['not (emails.value ne "a")', `(${NONE} (mail null or mail ne "a") and ${SOME} true)`],
    // RFC 7643 §2.5: null is unassigned.
    ['emails eq null', `${NONE} true`],
    ['emails ne null', `${SOME} true`],
    ['not (emails eq null)', `${SOME} true`],
    ['not (emails ne null)', `${NONE} true`],
    ['emails.value eq null', `${NONE} mail not null`],
    ['emails.value ne null', `${SOME} mail not null`],
    ['not (emails.value eq null)', `${SOME} mail not null`],
    ['not (emails.value ne null)', `${NONE} mail not null`],
    // Table 3: a complex value is not empty if one of its parts is not empty.
    ['emails pr', `${SOME} (mail ne "" or kind ne "" or is_primary not null)`],
    ['not (emails pr)', `${NONE} (mail ne "" or kind ne "" or is_primary not null)`],
    ['emails.value pr', `${SOME} mail ne ""`],
    ['not (emails.value pr)', `${NONE} mail ne ""`],
    ['emails[type eq "Work" and value eq "a"]', `${SOME} (kind eq "work" and mail eq "a")`],
    ['not (emails[type eq "work"])', `${NONE} kind eq "work"`],
    ['emails[not (type eq "work")]', `${SOME} (kind null or kind ne "work")`],
    ['emails[VALUE eq "a"]', `${SOME} mail eq "a"`],
  ])('%s is exactly %s', (filter, where) => {
    expect(translate(filter)).toEqual([where, null])
  })

  const unmapped = 'emails.display is not mapped to a column'
  it.each([
    ['emails.display eq "a"', `${SOME} true`, `emails.display eq "a": ${unmapped}`],
    ['emails.display pr', `${SOME} true`, `emails.display pr: ${unmapped}`],
    ['not (emails.display eq "a")', 'null', `emails.display eq "a": ${unmapped}`],
    ['not (emails.display ne "a")', `${SOME} true`, `emails.display ne "a": ${unmapped}`],
    ['emails.display eq null', 'null', `emails.display eq null: ${unmapped}`],
    [
      'emails eq "\\u0000"',
      `${SOME} mail not null`,
      'emails eq "\\u0000": the value contains a null character',
    ],
    [
      'not (emails eq "\\u0000")',
      'null',
      'emails eq "\\u0000": the value contains a null character',
    ],
    [
      'emails[display eq "a" and type eq "b"]',
      `${SOME} kind eq "b"`,
      'emails[display eq "a" and type eq "b"]: display eq "a": display is not mapped to a column',
    ],
  ])('%s is narrowed to %s', (filter, where, reason) => {
    expect(translate(filter)).toEqual([where, reason])
  })
})

describe("a multi-valued attribute's value in resource columns (RFC 7643 §2.4)", () => {
  const some = '(phone not null or phone_name not null)'
  const none = '(phone null and phone_name null)'

  it.each([
    // A comparison that a null does not pass needs no check of the element.
    ['phoneNumbers.value eq "1"', 'phone eq "1"'],
    ['phoneNumbers[value sw "1"]', 'phone like 1%'],
    ['phoneNumbers.value pr', 'phone ne ""'],
    ['phoneNumbers.value ne null', 'phone not null'],
    ['phoneNumbers[value eq "1" or display eq "x"]', '(phone eq "1" or phone_name eq "x")'],
    ['phoneNumbers[type eq "Work" and value eq "1"]', 'phone eq "1"'],
    ['phoneNumbers[type eq "home" and value eq "1"]', 'false'],
    // Any other test requires that the element exists.
    [
      'phoneNumbers[value eq "1" or display eq null]',
      `(${some} and (phone eq "1" or phone_name null))`,
    ],
    ['phoneNumbers[value eq null]', `(${some} and phone null)`],
    ['phoneNumbers[not (value eq "1")]', `(${some} and (phone null or phone ne "1"))`],
    ['phoneNumbers[type eq "work"]', some],
    // RFC 7643 §2.5: the type of a column is assigned.
    ['phoneNumbers[type eq null]', 'false'],
    ['phoneNumbers[type ne null]', some],
    ['phoneNumbers.type eq "home"', 'false'],
    ['phoneNumbers.type pr', some],
    ['phoneNumbers ne null', some],
    ['phoneNumbers eq null', none],
    ['phoneNumbers.value eq null', `(${none} or phone null)`],
    ['not (phoneNumbers.value eq "1")', `(${none} or (phone null or phone ne "1"))`],
    ['not (phoneNumbers.type eq "work")', none],
    ['not (phoneNumbers.type pr)', none],
    ['not (phoneNumbers[value eq "1"])', `(${none} or (phone null or phone ne "1"))`],
    ['phoneNumbers pr', some],
    ['not (phoneNumbers pr)', none],
    ['phoneNumbers.value ne "1"', `((${some} and (phone null or phone ne "1")) or ${none})`],
    ['not (phoneNumbers.value ne "1")', `((${none} or phone eq "1") and ${some})`],
    // Two columns of one attribute are two values.
    ['ims.value eq "a"', '(jabber eq "a" or skype eq "a")'],
    ['ims[type eq "skype" and value eq "a"]', 'skype eq "a"'],
    ['ims eq null', '(jabber null and skype null)'],
  ])('%s is exactly %s', (filter, where) => {
    expect(translate(filter)).toEqual([where, null])
  })

  const unmapped = 'is not mapped to a column'
  it.each([
    ['phoneNumbers.primary eq true', some, `phoneNumbers.primary ${unmapped}`],
    ['not (phoneNumbers.primary eq true)', 'null', `phoneNumbers.primary ${unmapped}`],
    [
      'phoneNumbers[primary eq true and value eq "1"]',
      `(${some} and phone eq "1")`,
      `primary eq true: primary ${unmapped}`,
    ],
    ['phoneNumbers[value.type eq "1"]', some, `value.type ${unmapped}`],
  ])('%s is narrowed to %s', (filter, where, reason) => {
    expect(translate(filter)).toEqual([where, expect.stringContaining(reason)])
  })
})
