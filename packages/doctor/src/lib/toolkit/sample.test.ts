import { USER_SCHEMA } from '@plumbline/scim'
import { describe, expect, it } from 'vitest'
import { targetsOf } from '../model/fields.ts'
import type { Attribute, Definitions, ExaminedType } from '../model/types.ts'
import {
  type Extent,
  generateValues,
  kindOf,
  plainValue,
  sampleResource,
  sampleValue,
} from './sample.ts'

const CORE = 'urn:example:params:scim:schemas:core:2.0:Thing'
const EXTENSION = 'urn:example:params:scim:schemas:extension:more:2.0:Thing'

const string = (name: string, rest: Partial<Attribute> = {}): Attribute => ({
  name,
  type: 'string',
  ...rest,
})
const complex = (name: string, ...subAttributes: readonly Attribute[]): Attribute => ({
  name,
  type: 'complex',
  subAttributes,
})

const EMAILS = complex('emails', string('value'))

/** The title, the attribute, the list that contains it, and its values for the seeds 1 and 2. */
const VALUES: readonly (readonly [string, Attribute, Attribute | null, unknown, unknown])[] = [
  ['a string is words (RFC 7643 §2.3.1)', string('title'), null, 'Ada title', 'eve title'],
  [
    'a unique string has the number (RFC 7643 §7)',
    string('serial', { uniqueness: 'server' }),
    null,
    'Ada.7',
    'eve.7',
  ],
  [
    'a required string has the number (RFC 7643 §7)',
    string('label', { required: true }),
    null,
    'Ada.7',
    'eve.7',
  ],
  ['an externalId has the number (RFC 7643 §3.1)', string('externalId'), null, 'Ada.7', 'eve.7'],
  ['a value of a list has the number (RFC 7643 §2.4)', string('value'), null, 'Ada.7', 'eve.7'],
  [
    'a value of emails is an address (RFC 7643 §4.1.2)',
    string('value'),
    EMAILS,
    'Ada.7@Example.com',
    'eve.7@Example.com',
  ],
  [
    'an attribute that is named after mail is an address (RFC 7643 §4.1.2)',
    string('eMail'),
    null,
    'Ada.7@Example.com',
    'eve.7@Example.com',
  ],
  [
    'the display of an email is not an address (RFC 7643 §4.1.2)',
    string('display'),
    EMAILS,
    'Ada display',
    'eve display',
  ],
  [
    'a value of phoneNumbers is a number (RFC 7643 §4.1.2)',
    string('value'),
    complex('phoneNumbers'),
    '+1 555 0107',
    '+1 555 0107',
  ],
  [
    'the display of a phone number is not one (RFC 7643 §4.1.2)',
    string('display'),
    complex('phoneNumbers'),
    'Ada display',
    'eve display',
  ],
  ['a locale is one (RFC 7643 §4.1.1)', string('locale'), null, 'de-DE', 'fr-CA'],
  ['a language is one (RFC 7643 §4.1.1)', string('preferredLanguage'), null, 'de-DE', 'fr-CA'],
  [
    'a time zone is one (RFC 7643 §4.1.1)',
    string('timezone'),
    null,
    'America/New_York',
    'Asia/Tokyo',
  ],
  ['a country is a code (RFC 7643 §4.1.2)', string('country'), null, 'US', 'JP'],
  [
    'a canonical value is one of the list (RFC 7643 §7)',
    string('state', { canonicalValues: ['off', 'on'] }),
    null,
    'on',
    'off',
  ],
  [
    'without canonical values, any string is valid (RFC 7643 §7)',
    string('state', { canonicalValues: [] }),
    null,
    'Ada state',
    'eve state',
  ],
  [
    'a boolean is true or false (RFC 7643 §2.3.2)',
    { name: 'on', type: 'boolean' },
    null,
    false,
    true,
  ],
  [
    'a decimal has a fraction (RFC 7643 §2.3.3)',
    { name: 'voltage', type: 'decimal' },
    null,
    7.25,
    14.25,
  ],
  ['an integer is whole (RFC 7643 §2.3.4)', { name: 'count', type: 'integer' }, null, -3, 4],
  [
    'an instant has one of two offsets (RFC 7643 §2.3.5)',
    { name: 'seen', type: 'dateTime' },
    null,
    '2026-01-02T04:00:00+10:00',
    '2026-01-03T20:00:00.123Z',
  ],
  [
    'a binary value is base64 (RFC 7643 §2.3.6)',
    { name: 'key', type: 'binary' },
    null,
    'QUJDBUVG',
    'QUJDCUVG',
  ],
  [
    'a reference is a URL (RFC 7643 §2.3.7)',
    { name: 'manual', type: 'reference' },
    null,
    'https://example.com/manual/Ada/7',
    'https://example.com/manual/eve/7',
  ],
]

describe('sampleValue', () => {
  it.each(VALUES)('in a sample, %s', (_, attribute, list, first, second) => {
    expect(sampleValue(attribute, { number: 7, seed: 1 }, list)).toEqual(first)
    expect(sampleValue(attribute, { number: 7, seed: 2 }, list)).toEqual(second)
  })

  it.each([
    ['preferredLanguage', 'en-US'],
    ['locale', 'en-US'],
    ['timezone', 'Europe/Berlin'],
    ['country', 'DE'],
  ])('the first %s is %s (RFC 7643 §4.1)', (name, first) => {
    expect(sampleValue(string(name), { number: 7, seed: 0 }, null)).toBe(first)
    expect(sampleValue(string(name), { number: 7, seed: 3 }, null)).toBe(first)
  })

  it.each([
    ['integer', -10, 39],
    ['decimal', 0.25, 49.25],
  ] as const)('an %s is small (RFC 7643 §2.3)', (type, least, most) => {
    const values = Array.from({ length: 60 }, (_, seed) =>
      Number(sampleValue({ name: 'count', type }, { number: 1, seed }, null)),
    )
    expect(Math.min(...values)).toBe(least)
    expect(Math.max(...values)).toBe(most)
  })

  it('every instant is valid (RFC 7643 §2.3.5)', () => {
    for (let seed = 0; seed < 40; seed += 1) {
      const value = sampleValue({ name: 'seen', type: 'dateTime' }, { number: 1, seed }, null)
      expect(Date.parse(String(value))).not.toBeNaN()
    }
  })

  it('every binary value is base64 (RFC 7643 §2.3.6)', () => {
    for (let seed = 0; seed < 40; seed += 1) {
      const value = sampleValue({ name: 'key', type: 'binary' }, { number: 1, seed }, null)
      expect(value).toMatch(/^QUJD[A-Z]UVG$/)
    }
  })
})

describe('kindOf (RFC 7643 §2.4)', () => {
  it.each([
    ['without canonical values', undefined, ['work', 'home', 'work']],
    ['with an empty list of canonical values', [], ['work', 'home', 'work']],
    ['of one canonical value', ['work'], ['work', 'work', 'work']],
    ['of three canonical values', ['in', 'out', 'both'], ['in', 'out', 'both']],
  ])("a list's values have types %s", (_, canonicalValues, kinds) => {
    const attribute = string('type', canonicalValues && { canonicalValues })
    expect([0, 1, 2].map((at) => kindOf(attribute, at))).toEqual(kinds)
  })
})

/** The title, the attribute, how complete the resource is, and the value for the number 2. */
const RESOURCES: readonly (readonly [string, Omit<Attribute, 'name'>, Extent, unknown])[] = [
  [
    'an optional attribute is not in a minimal resource (RFC 7643 §7)',
    { type: 'boolean' },
    'minimal',
    undefined,
  ],
  [
    'a required attribute is in a minimal resource (RFC 7643 §7)',
    { type: 'boolean', required: true },
    'minimal',
    false,
  ],
  [
    'a read-only attribute is in none (RFC 7643 §7)',
    { type: 'boolean', mutability: 'readOnly' },
    'whole',
    undefined,
  ],
  [
    'a write-only attribute is in a whole resource (RFC 7643 §7)',
    { type: 'boolean', mutability: 'writeOnly' },
    'whole',
    false,
  ],
  [
    'a list has two values (RFC 7643 §2.4)',
    { type: 'string', multiValued: true },
    'whole',
    ['chloe thing', 'Gus thing'],
  ],
  [
    'the values of a required list differ from those of other resources (RFC 7643 §2.4)',
    { type: 'string', multiValued: true, required: true },
    'minimal',
    ['chloe.2', 'Gus.42'],
  ],
  [
    'a complex attribute without parts is unassigned (RFC 7643 §2.5)',
    { type: 'complex' },
    'whole',
    undefined,
  ],
  [
    'a list of values without parts is unassigned (RFC 7643 §2.5)',
    { type: 'complex', multiValued: true },
    'whole',
    undefined,
  ],
  [
    'a read-only part is omitted (RFC 7643 §7)',
    { type: 'complex', subAttributes: [string('a', { mutability: 'readOnly' }), string('b')] },
    'whole',
    { b: 'Dan b' },
  ],
  [
    'a complex part is omitted (RFC 7643 §2.3.8)',
    { type: 'complex', subAttributes: [complex('a', string('b')), string('b')] },
    'whole',
    { b: 'Dan b' },
  ],
  [
    'a part may have several values (RFC 7643 §2.4)',
    { type: 'complex', subAttributes: [string('b', { multiValued: true })] },
    'whole',
    { b: ['Dan b'] },
  ],
  [
    'a minimal value has only the required parts (RFC 7643 §7)',
    {
      type: 'complex',
      required: true,
      subAttributes: [string('a'), string('b', { required: true })],
    },
    'minimal',
    { b: 'Dan.2' },
  ],
  [
    'a minimal value has all parts if none is required (RFC 7643 §7)',
    { type: 'complex', required: true, subAttributes: [string('a'), string('b')] },
    'minimal',
    { a: 'eve a', b: 'Dan b' },
  ],
  [
    'only the first value is primary (RFC 7643 §2.4)',
    {
      type: 'complex',
      multiValued: true,
      subAttributes: [string('value'), { name: 'primary', type: 'boolean' }],
    },
    'whole',
    [{ value: 'Ivy.2', primary: true }, { value: 'hal.42' }],
  ],
  [
    'the values have different types (RFC 7643 §2.4)',
    { type: 'complex', multiValued: true, subAttributes: [string('type')] },
    'whole',
    [{ type: 'work' }, { type: 'home' }],
  ],
  [
    'one canonical value of another part has two values (RFC 7643 §2.4)',
    {
      type: 'complex',
      multiValued: true,
      subAttributes: [string('unit', { canonicalValues: ['V'] }), string('type')],
    },
    'whole',
    [
      { unit: 'V', type: 'work' },
      { unit: 'V', type: 'home' },
    ],
  ],
  [
    'one canonical type has one value (RFC 7643 §2.4)',
    {
      type: 'complex',
      multiValued: true,
      subAttributes: [string('type', { canonicalValues: ['work'] })],
    },
    'whole',
    [{ type: 'work' }],
  ],
  [
    'only values of a list have a type (RFC 7643 §2.4)',
    { type: 'complex', subAttributes: [string('type')] },
    'whole',
    { type: 'Dan type' },
  ],
  [
    'a reference to a resource is omitted (RFC 7643 §2.3.7)',
    complex('thing', string('value'), {
      name: '$ref',
      type: 'reference',
      referenceTypes: ['User'],
    }),
    'whole',
    undefined,
  ],
]

describe('plainValue', () => {
  it.each<[string, Attribute, unknown]>([
    ['a string is the tag', { name: 'label', type: 'string' }, 'tag-1'],
    ['an address has a domain', { name: 'contactMail', type: 'string' }, 'tag-1@example.com'],
    [
      'a string of a list of values is the first one',
      { name: 'state', type: 'string', canonicalValues: ['on', 'off'] },
      'on',
    ],
    ['a boolean is true', { name: 'portable', type: 'boolean' }, true],
    ['an integer is positive', { name: 'slots', type: 'integer' }, 10],
    ['an instant is a whole second', { name: 'bought', type: 'dateTime' }, '2026-01-31T12:00:00Z'],
    ['a binary value is base64 (RFC 7643 §2.3.6)', { name: 'key', type: 'binary' }, 'QUJDIUVG'],
    ['a reference is a URL', { name: 'page', type: 'reference' }, 'https://example.com/tag-1'],
    ['a list has one element', { name: 'tags', type: 'string', multiValued: true }, ['tag-1']],
    [
      'a complex value has its value, its type and its required parts',
      {
        name: 'ports',
        type: 'complex',
        multiValued: true,
        subAttributes: [
          { name: 'value', type: 'string' },
          { name: 'type', type: 'string', canonicalValues: ['in'] },
          { name: 'speed', type: 'integer', required: true },
          { name: 'display', type: 'string' },
          { name: 'state', type: 'string', mutability: 'readOnly', required: true },
        ],
      },
      [{ value: 'tag-1', type: 'in', speed: 10 }],
    ],
  ])('in a plain value, %s', (_, attribute, expected) => {
    expect(plainValue(attribute, 'tag-1')).toEqual(expected)
  })
})

describe('sampleResource', () => {
  const sampled = (core: readonly Attribute[], more: readonly Attribute[], required: boolean) => {
    const type: ExaminedType = {
      name: 'User',
      endpoint: '/Users',
      schema: USER_SCHEMA,
      extensions: [{ schema: EXTENSION, required }],
      definitions: {
        [USER_SCHEMA]: { id: USER_SCHEMA, name: 'User', attributes: [...core] },
        [EXTENSION]: { id: EXTENSION, name: 'More', attributes: [...more] },
      },
    }
    return sampleResource(type, () => 'tag-1')
  }

  it('an attribute declared in another letter case has the usual value (RFC 7643 §2.1)', () => {
    expect(sampled([string('username', { required: true })], [], false)).toEqual({
      schemas: [USER_SCHEMA],
      username: 'tag-1@example.com',
      externalId: 'tag-1',
    })
  })

  it('an extension has its required attributes (RFC 7643 §3.3)', () => {
    expect(sampled([], [string('a', { required: true }), string('b')], false)).toEqual({
      schemas: [USER_SCHEMA, EXTENSION],
      externalId: 'tag-1',
      [EXTENSION]: { a: 'tag-1' },
    })
  })

  it('schemas names a required extension without values (RFC 7643 §6)', () => {
    expect(sampled([], [string('b')], true)).toEqual({
      schemas: [USER_SCHEMA, EXTENSION],
      externalId: 'tag-1',
      [EXTENSION]: {},
    })
  })
})

describe('generateValues', () => {
  const definitionsOf = (attribute: Omit<Attribute, 'name'>): Definitions => ({
    [CORE]: { id: CORE, name: 'Thing', attributes: [{ ...attribute, name: 'thing' }] },
  })

  it.each(RESOURCES)('in a generated resource, %s', (_, attribute, extent, value) => {
    const resource = generateValues(definitionsOf(attribute), { number: 2, extent })
    const expected = value === undefined ? {} : { thing: value }
    const { externalId: _externalId, ...others } = resource
    expect(others).toStrictEqual({ schemas: [CORE], ...expected })
  })

  it('an optional attribute is in most varied resources (RFC 7643 §2.5)', () => {
    const omitted = [1, 2, 3, 4, 5, 6, 7, 8].filter(
      (number) =>
        !(
          'thing' in
          generateValues(definitionsOf({ type: 'boolean' }), { number, extent: 'varied' })
        ),
    )
    expect(omitted).toEqual([3, 7])
  })

  it('every second varied resource has one value in a list (RFC 7643 §2.4)', () => {
    const emails = { type: 'complex', multiValued: true, subAttributes: [string('value')] } as const
    const lengths = [1, 2, 4, 5].map((number) => {
      const resource = generateValues(definitionsOf(emails), { number, extent: 'varied' })
      return Object(resource['thing']).length
    })
    expect(lengths).toEqual([1, 2, 2, 1])
  })

  it('extension attributes are in their container, which schemas names (RFC 7643 §3.3)', () => {
    const more = { id: EXTENSION, name: 'More', attributes: [string('a'), string('b')] }
    const definitions = { ...definitionsOf({ type: 'boolean' }), [EXTENSION]: more }
    const whole = generateValues(definitions, { number: 2, extent: 'whole' })
    expect(Object.keys(whole)).toEqual(['schemas', 'externalId', 'thing', EXTENSION])
    expect(Object.keys(Object(whole[EXTENSION]))).toEqual(['a', 'b'])
    expect(whole['schemas']).toEqual([CORE, EXTENSION])
    const minimal = generateValues(definitions, { number: 2, extent: 'minimal' })
    expect(minimal).toEqual({ schemas: [CORE] })
  })
})

describe('targetsOf (RFC 7643 §2.3.7)', () => {
  const $ref = (...referenceTypes: readonly string[]): Attribute => ({
    name: '$ref',
    type: 'reference',
    referenceTypes,
  })
  it.each<[string, Attribute, readonly string[]]>([
    [
      'the types of its $ref',
      complex('a', string('value'), $ref('User', 'Group')),
      ['User', 'Group'],
    ],
    ['neither external nor a URI', complex('a', string('value'), $ref('external', 'uri')), []],
    ['no type without a value', complex('members', $ref('User')), []],
    ['no type without parts', complex('members'), []],
    [
      'no type if it is not complex',
      { ...complex('members', string('value')), type: 'string' },
      [],
    ],
    [
      'no type for a $ref without types',
      complex('members', string('value'), { name: '$ref', type: 'reference' }),
      [],
    ],
    [
      'the types that its name members implies',
      complex('members', string('value')),
      ['User', 'Group'],
    ],
    ['the type that its name manager implies', complex('manager', string('value')), ['User']],
    ['no type for other names', complex('emails', string('value')), []],
  ])('an attribute refers to %s', (_, attribute, targets) => {
    expect(targetsOf(attribute)).toEqual(targets)
  })
})
