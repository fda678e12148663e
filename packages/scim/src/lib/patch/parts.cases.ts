import type { Attribute, Definitions } from '../schema/types.ts'
import type { Row } from './apply.cases.ts'

const text = (name: string, rest: Partial<Attribute> = {}): Attribute => ({
  name,
  type: 'string',
  ...rest,
})
const many = { multiValued: true } as const
const deviceParts = [text('value'), text('tags', many), text('note')]
const portParts: readonly Attribute[] = [{ name: 'value', type: 'integer' }, text('note')]

const THING = 'urn:example:2.0:Thing'

export const definitions: Definitions = {
  [THING]: {
    id: THING,
    name: 'Thing',
    attributes: [
      text('title'),
      { name: 'profile', type: 'complex', subAttributes: [text('langs', many), text('note')] },
      { name: 'devices', type: 'complex', ...many, subAttributes: deviceParts },
      { name: 'ints', type: 'integer', ...many },
      { name: 'sizes', type: 'decimal', ...many },
      { name: 'flags', type: 'boolean', ...many },
      { name: 'times', type: 'dateTime', ...many },
      text('codes', { ...many, caseExact: true }),
      { name: 'ports', type: 'complex', ...many, subAttributes: portParts },
    ],
  },
}

const one = { value: '1', tags: ['a'], note: 'n' }
const two = { value: '2', tags: ['a', 'b'] }

export const thing = {
  schemas: [THING],
  id: '1',
  title: 'Guide',
  profile: { langs: ['en'] },
  devices: [one, two],
  ints: [1, 2],
  sizes: [1.5],
  flags: [true],
  times: ['2026-01-31T12:00:00Z'],
  codes: ['x', 'X'],
  ports: [{ value: 80, note: 'web' }],
}

/** Multi-valued sub-attributes (RFC 7643 §2.4, RFC 7644 §3.5.2). */
export const parts: readonly Row[] = [
  [
    '§3.5.2.1: add keeps the values that a sub-attribute has',
    [{ op: 'add', path: 'profile.langs', value: ['de'] }],
    { profile: { langs: ['en', 'de'] } },
  ],
  [
    '§3.5.2.1: add of one value without a list',
    [{ op: 'add', path: 'profile.langs', value: 'de' }],
    { profile: { langs: ['en', 'de'] } },
  ],
  [
    '§3.5.2.1: add without a path, as an object',
    [{ op: 'add', value: { profile: { langs: ['de'] } } }],
    { profile: { langs: ['en', 'de'] } },
  ],
  [
    '§3.5.2.1: add without a path, as a dotted key',
    [{ op: 'add', value: { 'profile.langs': ['de'] } }],
    { profile: { langs: ['en', 'de'] } },
  ],
  [
    '§3.5.2.1: add of an existing value changes nothing',
    [{ op: 'add', path: 'profile.langs', value: ['EN'] }],
    {},
  ],
  [
    '§3.5.2.1: add of an empty list changes nothing',
    [{ op: 'add', path: 'profile', value: { langs: [] } }],
    {},
  ],
  [
    '§3.5.2.1: add to one of several values',
    [{ op: 'add', path: 'devices[value eq "1"].tags', value: ['b'] }],
    { devices: [{ ...one, tags: ['a', 'b'] }, two] },
  ],
  [
    '§3.5.2.1: add to all values',
    [{ op: 'add', path: 'devices.tags', value: ['b'] }],
    { devices: [{ ...one, tags: ['a', 'b'] }, two] },
  ],
  [
    '§3.5.2.1: add an object to one of several values',
    [{ op: 'add', path: 'devices[value eq "1"]', value: { tags: ['b'], note: 'm' } }],
    { devices: [{ ...one, tags: ['a', 'b'], note: 'm' }, two] },
  ],
  [
    '§3.5.2.1: add of an existing value with more values in a sub-attribute',
    [{ op: 'add', path: 'devices', value: [{ value: '1', tags: ['b'] }] }],
    { devices: [{ ...one, tags: ['a', 'b'] }, two] },
  ],
  [
    '§3.5.2.3: replace drops the old values of a sub-attribute, and repeated values',
    [
      { op: 'replace', path: 'profile.langs', value: ['de', 'fr', 'DE'] },
      { op: 'replace', path: 'devices[value eq "1"].tags', value: ['b'] },
    ],
    { profile: { langs: ['de', 'fr'] }, devices: [{ ...one, tags: ['b'] }, two] },
  ],
  [
    '§3.5.2.3: replace with an empty list leaves no empty object',
    [{ op: 'replace', path: 'profile', value: { langs: [] } }],
    { profile: undefined },
  ],
  [
    '§3.5.2.2: remove by value removes only that value',
    [
      { op: 'add', path: 'profile.langs', value: ['de'] },
      { op: 'remove', path: 'profile.langs', value: ['EN'] },
    ],
    { profile: { langs: ['de'] } },
  ],
  [
    '§3.5.2.2: remove of the last value leaves no empty object',
    [{ op: 'remove', path: 'profile.langs', value: ['en'] }],
    { profile: undefined },
  ],
  [
    '§3.5.2.2: remove without a value leaves no empty object',
    [{ op: 'remove', path: 'profile.langs' }],
    { profile: undefined },
  ],
  [
    '§3.5.2.2: remove of a value that does not exist',
    [{ op: 'remove', path: 'profile.langs', value: ['fr'] }],
    'noTarget',
  ],
  [
    '§3.5.2.2: remove from an absent parent changes nothing',
    [
      { op: 'remove', path: 'profile' },
      { op: 'remove', path: 'profile.langs' },
      { op: 'remove', path: 'profile.langs', value: ['en'] },
      { op: 'remove', path: 'profile.note' },
    ],
    { profile: undefined },
  ],
  [
    '§3.5.2.2: remove by value from one of several values',
    [{ op: 'remove', path: 'devices[value eq "2"].tags', value: ['a'] }],
    { devices: [one, { ...two, tags: ['b'] }] },
  ],
  [
    '§3.5.2.2: remove by value from all values',
    [{ op: 'remove', path: 'devices.tags', value: ['b'] }],
    { devices: [one, { ...two, tags: ['a'] }] },
  ],
  [
    '§3.5.2.2: remove of a value that no element has',
    [{ op: 'remove', path: 'devices.tags', value: ['c'] }],
    'noTarget',
  ],
  [
    'RFC 7644 §3.4.2.2: a filter matches any value of a multi-valued sub-attribute',
    [{ op: 'replace', path: 'devices[tags eq "B"].note', value: 'm' }],
    { devices: [one, { ...two, note: 'm' }] },
  ],
  [
    '§3.5.2.1: add creates the value that a filter on a multi-valued sub-attribute describes',
    [{ op: 'add', path: 'devices[tags eq "c"].value', value: '3' }],
    { devices: [one, two, { tags: ['c'], value: '3' }] },
  ],
  [
    'RFC 7643 §2.5: null for an absent sub-attribute of an existing value adds nothing',
    [
      { op: 'add', path: 'devices', value: [{ value: '3' }] },
      { op: 'add', path: 'devices', value: [{ value: '3', tags: null, note: 'm' }] },
    ],
    { devices: [one, two, { value: '3', note: 'm' }] },
  ],
  [
    'RFC 7643 §2.5: null for a sub-attribute of an existing value adds nothing',
    [{ op: 'add', path: 'devices', value: [{ value: '1', note: null }] }],
    {},
  ],
  [
    '§3.5.2.1: add of a sub-attribute that does not exist',
    [
      { op: 'remove', path: 'profile' },
      { op: 'add', path: 'profile.langs', value: ['de', 'DE'] },
    ],
    { profile: { langs: ['de'] } },
  ],
  [
    '§3.5.2.1: add of an object without a sub-attribute keeps its values',
    [{ op: 'add', path: 'devices[value eq "1"]', value: { tags: null, note: 'm' } }],
    { devices: [{ ...one, note: 'm' }, two] },
  ],
]

/** Values that are not strings, and values that a `remove` names. */
export const values: readonly Row[] = [
  [
    '§3.5.2.1: existing numbers and booleans are not added again',
    [
      { op: 'add', path: 'ints', value: [1] },
      { op: 'add', path: 'sizes', value: [1.5] },
      { op: 'add', path: 'flags', value: [true] },
    ],
    {},
  ],
  [
    '§3.5.2.1: other numbers and booleans are added',
    [
      { op: 'add', path: 'ints', value: [3] },
      { op: 'add', path: 'flags', value: [false] },
    ],
    { ints: [1, 2, 3], flags: [true, false] },
  ],
  [
    '§3.5.2.2: numbers and booleans are removed by value',
    [
      { op: 'remove', path: 'ints', value: [1] },
      { op: 'remove', path: 'sizes', value: 1.5 },
      { op: 'remove', path: 'flags', value: [true] },
    ],
    { ints: [2], sizes: undefined, flags: undefined },
  ],
  [
    'RFC 7643 §2.4: a complex value is found by a value that is a number',
    [
      { op: 'add', path: 'ports', value: [{ value: 80, note: 'http' }] },
      { op: 'add', path: 'ports', value: [{ value: 443 }] },
      { op: 'remove', path: 'ports', value: [{ value: 443 }] },
    ],
    { ports: [{ value: 80, note: 'http' }] },
  ],
  [
    'RFC 7644 §3.4.2.2: the values of a list are compared as instants, as in a list filter',
    [{ op: 'remove', path: 'times[value eq "2026-01-31T13:00:00+01:00"]' }],
    { times: undefined },
  ],
  [
    'RFC 7643 §2.2: case-exact values differ by letter case',
    [
      { op: 'add', path: 'codes', value: ['y', 'Y', 'x'] },
      { op: 'remove', path: 'codes', value: ['X'] },
    ],
    { codes: ['x', 'y', 'Y'] },
  ],
  [
    '§3.5.2.2: remove of a complex value by the values of its parts',
    [{ op: 'remove', path: 'devices', value: [{ tags: ['a', 'b'] }] }],
    { devices: [one] },
  ],
  [
    '§3.5.2.3: replace of a simple value that a filter selects',
    [{ op: 'replace', path: 'ints[value eq 1]', value: 5 }],
    { ints: [5, 2] },
  ],
  [
    '§3.5.2.1: add does not create a simple value that a filter describes',
    [{ op: 'add', path: 'codes[value eq "z"]', value: 'z' }],
    'noTarget',
  ],
  [
    'RFC 7643 §2.4: replace drops repeated values',
    [
      { op: 'replace', path: 'ints', value: [3, 3] },
      { op: 'replace', path: 'codes', value: ['z', 'Z', 'z'] },
    ],
    { ints: [3], codes: ['z', 'Z'] },
  ],
  [
    '§3.5.2.2: remove by value',
    [{ op: 'remove', path: 'title', value: 'GUIDE' }],
    { title: undefined },
  ],
  [
    '§3.5.2.2: remove by null',
    [{ op: 'remove', path: 'title', value: null }],
    { title: undefined },
  ],
  [
    '§3.5.2.2: remove by an empty value',
    [{ op: 'remove', path: 'title', value: '' }],
    { title: undefined },
  ],
  [
    '§3.5.2.2: remove of another value than the existing one',
    [{ op: 'remove', path: 'title', value: 'other' }],
    'noTarget',
  ],
  [
    '§3.5.2.2: remove of another complex value than the existing one',
    [{ op: 'remove', path: 'profile', value: { note: 'other' } }],
    'noTarget',
  ],
  [
    '§3.5.2.2: remove by value from an absent attribute changes nothing',
    [
      { op: 'remove', path: 'title' },
      { op: 'remove', path: 'title', value: 'other' },
    ],
    { title: undefined },
  ],
]
