import type { Attribute } from '../model/types.ts'

/** Two values of an attribute, and whether they are the same for a client. */
export interface DifferenceCase {
  readonly shows: string
  readonly section: string
  readonly attribute: Omit<Attribute, 'name'>
  readonly expected: unknown
  readonly actual: unknown
  /** The line after the name of the attribute; null without a difference. */
  readonly says: string | null
}

const PARTS = [
  { name: 'value', type: 'string' },
  { name: 'primary', type: 'boolean' },
  { name: 'display', type: 'string', mutability: 'readOnly' },
  { name: 'secret', type: 'string', mutability: 'writeOnly' },
  { name: 'hash', type: 'string', returned: 'never' },
  { name: 'at', type: 'dateTime' },
] as const

const complex = { type: 'complex', subAttributes: PARTS } as const
const list = { ...complex, multiValued: true } as const
const reference = {
  type: 'complex',
  subAttributes: [
    { name: 'value', type: 'string' },
    { name: '$ref', type: 'reference', referenceTypes: ['User'] },
    { name: 'display', type: 'string' },
  ],
} as const
const external = {
  type: 'complex',
  subAttributes: [
    { name: 'value', type: 'string' },
    { name: '$ref', type: 'reference', referenceTypes: ['external'] },
  ],
} as const

export const DIFFERENCE_CASES: readonly DifferenceCase[] = [
  {
    shows: 'equal strings are the same',
    section: 'RFC 7643 §2.3.1',
    attribute: { type: 'string' },
    expected: 'a',
    actual: 'a',
    says: null,
  },
  {
    shows: 'strings in another letter case differ',
    section: 'RFC 7643 §2.3.1',
    attribute: { type: 'string' },
    expected: 'a',
    actual: 'A',
    says: 'expected "a", came "A"',
  },
  ...([undefined, null, []] as const).map((actual) => ({
    shows: `${JSON.stringify(actual)} is unassigned`,
    section: 'RFC 7643 §2.5',
    attribute: { type: 'string', multiValued: true } as const,
    expected: undefined,
    actual,
    says: null,
  })),
  {
    shows: 'a value that is missing differs',
    section: 'RFC 7643 §2.5',
    attribute: { type: 'string' },
    expected: 'a',
    actual: undefined,
    says: 'expected "a", came unassigned',
  },
  {
    shows: 'a value that was not sent differs',
    section: 'RFC 7643 §2.5',
    attribute: { type: 'boolean' },
    expected: undefined,
    actual: false,
    says: 'expected unassigned, came false',
  },
  {
    shows: 'the order of the values of a list does not matter',
    section: 'RFC 7643 §2.4',
    attribute: { type: 'string', multiValued: true },
    expected: ['b', 'a', 'c'],
    actual: ['c', 'a', 'b'],
    says: null,
  },
  {
    shows: 'the lists of other values differ',
    section: 'RFC 7643 §2.4',
    attribute: { type: 'string', multiValued: true },
    expected: ['b', 'a'],
    actual: ['a', 'a'],
    says: 'expected ["a","b"], came ["a","a"]',
  },
  {
    shows: 'a single value of a list is a list of one',
    section: 'RFC 7643 §2.4',
    attribute: { type: 'string', multiValued: true },
    expected: ['a'],
    actual: 'a',
    says: null,
  },
  {
    shows: 'an instant is the same in another offset',
    section: 'RFC 7643 §2.3.5',
    attribute: { type: 'dateTime' },
    expected: '2026-01-01T04:00:00+02:00',
    actual: '2026-01-01T02:00:00Z',
    says: null,
  },
  {
    shows: 'another instant differs',
    section: 'RFC 7643 §2.3.5',
    attribute: { type: 'dateTime' },
    expected: '2026-01-01T04:00:00+02:00',
    actual: '2026-01-01T04:00:00Z',
    says: 'expected "2026-01-01T02:00:00.000Z", came "2026-01-01T04:00:00.000Z"',
  },
  {
    shows: 'a string that is not an instant is compared as a string',
    section: 'RFC 7643 §2.3.5',
    attribute: { type: 'dateTime' },
    expected: 'now',
    actual: 'Now',
    says: 'expected "now", came "Now"',
  },
  {
    shows: 'a number in place of an instant differs',
    section: 'RFC 7643 §2.3.5',
    attribute: { type: 'dateTime' },
    expected: '2026-01-01T00:00:00Z',
    actual: 5,
    says: 'expected "2026-01-01T00:00:00.000Z", came 5',
  },
  {
    shows: 'a string with the form of an instant is a string',
    section: 'RFC 7643 §2.3.1',
    attribute: { type: 'string' },
    expected: '2026-01-01T00:00:00Z',
    actual: '2026-01-01T00:00:00.000Z',
    says: 'expected "2026-01-01T00:00:00Z", came "2026-01-01T00:00:00.000Z"',
  },
  {
    shows: 'the order of parts does not matter, and instants are compared as instants',
    section: 'RFC 7643 §2.3.8',
    attribute: complex,
    expected: { value: 'a', at: '2026-01-01T00:00:00Z' },
    actual: { at: '2026-01-01T01:00:00+01:00', value: 'a' },
    says: null,
  },
  {
    shows: 'another part differs',
    section: 'RFC 7643 §2.3.8',
    attribute: complex,
    expected: { value: 'a', primary: true },
    actual: { value: 'a', at: '2026-01-01T00:00:00Z' },
    says: 'expected {"value":"a","primary":true}, came {"value":"a","at":"2026-01-01T00:00:00.000Z"}',
  },
  {
    shows: 'a string in place of a complex value differs',
    section: 'RFC 7643 §2.3.8',
    attribute: complex,
    expected: { value: 'a' },
    actual: 'a',
    says: 'expected {"value":"a"}, came "a"',
  },
  {
    shows: 'a part that a client cannot write or read is not compared',
    section: 'RFC 7643 §7',
    attribute: complex,
    expected: { value: 'a', display: 'A', secret: 'x', hash: 'y' },
    actual: { value: 'a' },
    says: null,
  },
  {
    shows: 'a part that the definitions do not have is not compared',
    section: 'RFC 7643 §2.3.8',
    attribute: complex,
    expected: { value: 'a', other: 1 },
    actual: { value: 'a' },
    says: null,
  },
  {
    shows: 'primary is false by default',
    section: 'RFC 7643 §2.4',
    attribute: list,
    expected: [{ value: 'a', primary: false }, { value: 'b' }],
    actual: [{ value: 'b', primary: false }, { value: 'a' }],
    says: null,
  },
  {
    shows: 'a primary value differs from another',
    section: 'RFC 7643 §2.4',
    attribute: list,
    expected: [{ value: 'a', primary: true }],
    actual: [{ value: 'a' }],
    says: 'expected [{"value":"a","primary":true}], came [{"value":"a"}]',
  },
  {
    shows: 'a value whose parts are all unassigned is unassigned',
    section: 'RFC 7643 §2.5',
    attribute: list,
    expected: [{ value: null }, { primary: false }],
    actual: undefined,
    says: null,
  },
  {
    shows: 'only the value of a reference is compared',
    section: 'RFC 7643 §2.3.7',
    attribute: reference,
    expected: { value: '1', display: 'Ada', $ref: '/Users/1' },
    actual: { value: '1', display: 'Eve' },
    says: null,
  },
  {
    shows: 'another value of a reference differs',
    section: 'RFC 7643 §2.3.7',
    attribute: reference,
    expected: { value: '1' },
    actual: { value: '2' },
    says: 'expected {"value":"1"}, came {"value":"2"}',
  },
  {
    shows: 'a link to another server is a part as any other',
    section: 'RFC 7643 §2.3.7',
    attribute: external,
    expected: { value: '1', $ref: 'https://example.com/1' },
    actual: { value: '1', $ref: 'https://example.com/2' },
    says: 'expected {"value":"1","$ref":"https://example.com/1"}, came {"value":"1","$ref":"https://example.com/2"}',
  },
  {
    shows: 'an attribute that a client cannot write is not compared',
    section: 'RFC 7643 §7',
    attribute: { type: 'string', mutability: 'readOnly' },
    expected: 'a',
    actual: 'b',
    says: null,
  },
  {
    shows: 'an attribute that is never returned is not compared',
    section: 'RFC 7643 §7',
    attribute: { type: 'string', returned: 'never' },
    expected: 'a',
    actual: undefined,
    says: null,
  },
  {
    shows: 'an attribute that is only written is not compared',
    section: 'RFC 7643 §7',
    attribute: { type: 'string', mutability: 'writeOnly' },
    expected: 'a',
    actual: undefined,
    says: null,
  },
]
