import { USER_SCHEMA } from '@plumbline/scim'
import type { Discovery } from '@plumbline/scim/discovery'

const text = (name: string, rest: Partial<Discovery.Attribute> = {}): Discovery.Attribute => ({
  name,
  type: 'string',
  ...rest,
})

const list = (
  name: string,
  ...subAttributes: readonly Discovery.Attribute[]
): Discovery.Attribute => ({ name, type: 'complex', multiValued: true, subAttributes })

const primary: Discovery.Attribute = { name: 'primary', type: 'boolean' }

/** An extension whose attributes have all types. */
export const BADGES: Discovery.SchemaDefinition = {
  id: 'urn:example:schemas:1.0:Badges',
  name: 'Badges',
  attributes: [
    list(
      'badges',
      { name: 'value', type: 'integer' },
      text('type', { caseExact: true }),
      { name: 'isValid', type: 'boolean' },
      { name: 'since', type: 'dateTime' },
      text('issuer'),
    ),
    { name: 'levels', type: 'decimal', multiValued: true },
    // Only its URN names it: the core schema also has an attribute of this name.
    text('tags', { multiValued: true, caseExact: true }),
    { name: 'keys', type: 'binary', multiValued: true },
  ],
}

/** The schemas of the resources: those of a user, reduced, and an extension. */
export const definitions: Discovery.Definitions = {
  [USER_SCHEMA]: {
    id: USER_SCHEMA,
    name: 'User',
    attributes: [
      text('userName', { required: true }),
      text('title'),
      list('emails', text('value'), text('display'), text('type'), primary),
      list('addresses', text('country'), text('locality'), text('type'), primary),
      text('tags', { multiValued: true }),
    ],
  },
  [BADGES.id]: BADGES,
}

const LONG = 'x'.repeat(310)

/** Strings that are easily confused, or that an index or a database does not accept. */
export const TEXTS = [
  '',
  'a',
  'A',
  'ab',
  'b',
  'ba',
  'é',
  'É',
  'İ',
  'ß',
  'ẞ',
  '😀',
  '😀a',
  '\ud7ff',
  '\uffff',
  '%',
  '_',
  '!',
  'a%b',
  '*',
  '\\',
  "'",
  'a\0b',
  '\0',
  '\u{10ffff}',
  'a\u{10ffff}b',
  LONG,
  `${LONG}y`,
  `${LONG}z`,
  'x'.repeat(199),
  'x'.repeat(200),
  `${'x'.repeat(199)}😀`,
  'user-1',
  'x',
]

/** The resources: each has some of the values, in different combinations. */
export const resources: readonly Record<string, unknown>[] = [
  {},
  {
    title: 'a',
    emails: [
      { value: 'a', type: 'work', primary: true },
      { value: 'b', type: 'home' },
    ],
    addresses: [{ country: 'a', locality: 'b', type: 'a' }],
    tags: ['a', 'b'],
    [BADGES.id]: {
      badges: [{ value: 1, type: 'a', isValid: true, since: '2026-01-01T00:00:00Z' }],
      levels: [-0.5, 10],
      tags: ['A'],
      keys: ['YQ=='],
    },
  },
  {
    emails: [{ value: 'b', type: 'work' }, { type: 'a' }, { primary: false }],
    addresses: [
      { country: 'a', type: 'b' },
      { locality: 'b', primary: true },
    ],
    [BADGES.id]: { badges: [{ issuer: 'a' }, { value: -2, isValid: false }], levels: [0] },
  },
  { emails: [{ display: 'a' }, {}], addresses: [{ type: 'a' }], tags: [''] },
  { emails: [], [BADGES.id]: { badges: [{ since: '2025-12-31T23:00:00-01:00' }], levels: [] } },
  ...TEXTS.flatMap((value, at) => [
    { emails: [{ value, type: TEXTS[(at * 7) % TEXTS.length] }], tags: [value, 'a'] },
    {
      addresses: [
        { country: value, locality: 'a', type: 'a' },
        { country: 'a', locality: value },
      ],
      [BADGES.id]: { badges: [{ value: at % 4, issuer: value, type: value }], tags: [value] },
    },
  ]),
]

/** Filters that the database runs exactly, also among keys with hashes. */
export const EXACT: readonly string[] = [
  'emails eq "A"',
  'emails.value eq "b"',
  'emails sw "a"',
  'emails sw "É"',
  'emails[type eq "WORK"].value sw "a"',
  'emails[type eq "work" and value sw "b"]',
  'emails[type eq "work" and primary eq true]',
  'emails[primary eq false]',
  'emails.type eq "a"',
  'emails.type sw "h"',
  'emails[not (type eq "work")]',
  'emails[value eq "a" or display eq "a"]',
  'emails[value ne "a"]',
  'emails ne "a"',
  'emails pr',
  'not (emails pr)',
  'emails.display pr',
  'emails eq null',
  'emails ne null',
  'emails.display eq null',
  'emails.display ne null',
  'not (emails.display eq null)',
  'emails[display eq null]',
  'emails[type ne null and not (value eq null)]',
  'not (emails.value eq "a")',
  'addresses.country eq "a"',
  'addresses[country eq "a" and locality eq "b"]',
  'addresses[country sw "a" and not (locality pr)]',
  'addresses[country eq "a" and type eq "b"] and not (emails[type eq "home"])',
  `emails eq "${LONG}y"`,
  `emails sw "${'x'.repeat(200)}"`,
  'tags eq "A"',
  'tags[value sw "b"]',
  'tags eq "a" and userName sw "user-1"',
  'userName eq "user-1" or emails eq "b" or tags eq "b"',
  'not (userName co "1" and emails eq "a")',
  'not (emails eq "a" or emails eq "b" or userName sw "user-2")',
  'emails[value eq "a" or value eq "b" and type eq "home"]',
  Array.from({ length: 900 }, (_, at) => `emails eq "${at % 2 ? 'a' : at}"`).join(' or '),
  Array.from({ length: 50 }, () => 'emails sw "a"').join(' and '),
  `${BADGES.id}:tags eq "A"`,
  `${BADGES.id}:keys eq "YQ=="`,
  'badges eq 1',
  'badges[value gt 0 and isValid eq true]',
  'badges[type eq "a" and value le 1]',
  'badges[issuer sw "a" and value eq 0]',
  'levels lt 0',
  'levels ge -0.5',
  // No key is so long. Citus rejects a join with a condition that no row meets.
  `not (addresses.type co "${'x'.repeat(513)}")`,
  `addresses[type co "${'x'.repeat(513)}" or country eq "a"]`,
]

/** Filters that keys cannot express exactly if some keys contain hashes, dates, and parts that are null. */
export const INEXACT: readonly string[] = [
  // At most 50 selections from the table of values.
  Array.from({ length: 51 }, () => 'emails sw "a"').join(' and '),
  'emails co "x"',
  'emails[not (type gt "b")]',
  'emails[not (type gt "b" or display pr)]',
  'emails ew "y"',
  'emails gt "b"',
  `emails sw "${LONG}"`,
  'badges.since eq "2026-01-01T00:00:00Z"',
  'badges pr',
  'title eq "a"',
  'emails eq "a" and title eq "a"',
  'emails eq "a" or title eq "a"',
]
