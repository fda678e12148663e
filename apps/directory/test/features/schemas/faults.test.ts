import type { Discovery } from '@plumbline/scim/discovery'
import { describe, expect, it } from 'vitest'
import { ExtensionBody } from '../../../src/features/schemas/body.ts'
import { checkAttributes, checkUrn } from '../../../src/features/schemas/faults.ts'

const OTHER = 'urn:example:Badge:1.0:User'
const NOT_URN = 'must be a URN of letters, digits, ".", "_", "-" and ":"'
const RESERVED = 'must not be a URN that RFC 7643 reserves for core schemas'
const PART = `must not be a part of ${OTHER}, nor the opposite`

describe("a schema's URN", () => {
  it.each([
    ['is valid (RFC 8141 §2)', 'urn:example:user_2.0-a:User', null],
    ['is valid in capitals (RFC 8141 §3.1)', 'URN:EXAMPLE:USER', null],
    ['may have a name of 32 characters (RFC 8141 §2)', `urn:${'a'.repeat(32)}:x`, null],
    ['has a name of at most 32 characters (RFC 8141 §2)', `urn:${'a'.repeat(33)}:x`, NOT_URN],
    ['has a name of at least two characters (RFC 8141 §2)', 'urn:a:x', NOT_URN],
    ['has a name that does not start with a hyphen (RFC 8141 §2)', 'urn:-a:x', NOT_URN],
    ['has a part after its name (RFC 8141 §2)', 'urn:example', NOT_URN],
    ['does not have an empty part (RFC 8141 §2)', 'urn:example::x', NOT_URN],
    ['starts with urn (RFC 8141 §2)', 'x:urn:example:x', NOT_URN],
    ['does not end with a separator (RFC 7644 §3.10)', 'urn:example:x.', NOT_URN],
    ['does not have other characters (RFC 7644 §3.10)', 'urn:example:x/y', NOT_URN],
    ['is not of the core (RFC 7643 §10.2)', 'urn:ietf:params:scim:schemas:core:2.0:X', RESERVED],
    ['is not the core (RFC 7643 §10.2)', 'urn:ietf:params:SCIM:schemas:core', RESERVED],
    ['is not of messages (RFC 7644 §8.2)', 'urn:ietf:params:scim:api:messages:2.0:X', RESERVED],
    ['may start like the core (RFC 7643 §10.2)', 'urn:ietf:params:scim:schemas:corex:X', null],
    [
      'may contain a URN of the core (RFC 7643 §10.2)',
      'urn:example:urn:ietf:params:scim:api',
      null,
    ],
    ['may be one of IETF (RFC 7643 §10)', 'urn:ietf:params:scim:schemas:extension:x:X', null],
    ['is unique (RFC 7643 §7)', OTHER, `the schema ${OTHER} already exists`],
    [
      'is unique in any letter case (RFC 7643 §7)',
      OTHER.toUpperCase(),
      `the schema ${OTHER} already exists`,
    ],
    ['is not the start of another (RFC 7644 §3.10)', 'urn:example:badge', PART],
    ['is not the start of another before a dot (RFC 7644 §3.10)', 'urn:example:Badge:1', PART],
    ['does not start with another (RFC 7644 §3.10)', `${OTHER}:more`, PART],
    ['does not start with another and a dot (RFC 7644 §3.10)', `${OTHER}.more`, PART],
    ['may start with the same letters (RFC 7644 §3.10)', `${OTHER}s`, null],
  ])("a schema's URN %s: %s", (_, urn, message) => {
    const faults = message === null ? [] : [{ path: ['id'], message }]
    expect(checkUrn(urn, ['urn:example:none', OTHER])).toEqual(faults)
  })
})

type Parts = readonly Partial<Discovery.Attribute>[]

const named = (parts: Parts): readonly Discovery.Attribute[] =>
  parts.map((one) => ({ name: 'a', type: 'string', ...one }))
const complex = (...parts: Parts): Partial<Discovery.Attribute> => ({
  type: 'complex',
  subAttributes: named(parts),
})

const NAME = 'must start with a letter, and have letters, digits, "$", "-" and "_"'
const DUPLICATED = 'is duplicated, perhaps in another letter case'
const CORE = 'is the name of a core attribute'

describe("a schema's attributes", () => {
  it.each<[string, Parts, readonly (readonly [string, string])[]]>([
    ['have valid names (RFC 7643 §2.1)', [{ name: 'a1_-$' }, { name: 'B' }], []],
    ['do not start with a digit (RFC 7643 §2.1)', [{ name: '1a' }], [['attributes/0/name', NAME]]],
    ['do not have a dot (RFC 7643 §2.1)', [{ name: 'a.b' }], [['attributes/0/name', NAME]]],
    ['are not called $ref (RFC 7643 §2.4)', [{ name: '$ref' }], [['attributes/0/name', NAME]]],
    [
      'are not called as members of every object',
      [{ name: 'Constructor' }, { name: 'prototype' }],
      [
        ['attributes/0/name', 'is not supported as a name'],
        ['attributes/1/name', 'is not supported as a name'],
      ],
    ],
    [
      'are not common attributes (RFC 7643 §3.1)',
      [{ name: 'ID' }, { name: 'schemas' }, { name: 'meta' }, { name: 'externalid' }],
      [0, 1, 2, 3].map((at) => [`attributes/${at}/name`, CORE] as const),
    ],
    ['are not core attributes (RFC 7643 §3.3)', [{ name: 'TITLE' }], [['attributes/0/name', CORE]]],
    [
      'have different names (RFC 7643 §2.1)',
      [{ name: 'a' }, { name: 'b' }, { name: 'A' }],
      [['attributes/2/name', DUPLICATED]],
    ],
    ['may say that they are not unique (RFC 7643 §7)', [{ uniqueness: 'none' }], []],
    ['may be only written (RFC 7643 §7)', [{ mutability: 'writeOnly' }], []],
    [
      'may be only written and never returned (RFC 7643 §7)',
      [{ mutability: 'writeOnly', returned: 'never' }],
      [],
    ],
    ['may be always returned (RFC 7643 §7)', [{ mutability: 'immutable', returned: 'always' }], []],
    [
      'are not returned if they are only written (RFC 7643 §7)',
      [{ mutability: 'writeOnly', returned: 'default' }],
      [['attributes/0/returned', 'must be never for a writeOnly attribute']],
    ],
    ['may have canonical values (RFC 7643 §7)', [{ canonicalValues: ['x'] }], []],
    [
      'have canonical values only if they are strings (RFC 7643 §7)',
      [{ type: 'integer', canonicalValues: ['1'] }],
      [['attributes/0/canonicalValues', 'must be absent unless the type is string']],
    ],
    ['may refer (RFC 7643 §7)', [{ type: 'reference', referenceTypes: ['User'] }], []],
    [
      'refer to a type (RFC 7643 §7)',
      [{ type: 'reference' }],
      [['attributes/0/referenceTypes', 'must be present for the type reference']],
    ],
    [
      'refer only as references (RFC 7643 §7)',
      [{ referenceTypes: ['User'] }],
      [['attributes/0/referenceTypes', 'must be absent unless the type is reference']],
    ],
    ['may have empty lists (RFC 7643 §7)', [{ referenceTypes: [], subAttributes: [] }], []],
    [
      'have parts if they are complex (RFC 7643 §2.3.8)',
      [{ type: 'complex' }],
      [['attributes/0/subAttributes', 'must not be empty for the type complex']],
    ],
    [
      'have parts only if they are complex (RFC 7643 §2.3.8)',
      [{ subAttributes: named([{}]) }],
      [['attributes/0/subAttributes', 'must be absent unless the type is complex']],
    ],
    [
      'have parts with valid and different names (RFC 7643 §2.3.8)',
      [complex({ name: 'b' }, { name: '1' }, { name: 'B' })],
      [
        ['attributes/0/subAttributes/1/name', NAME],
        ['attributes/0/subAttributes/2/name', DUPLICATED],
      ],
    ],
    [
      'have parts whose whole names are valid (RFC 7643 §2.1)',
      [complex({ name: '1a' }, { name: 'a.b' }, { name: '1$ref' }, { name: '$refs' })],
      [0, 1, 2, 3].map((at) => [`attributes/0/subAttributes/${at}/name`, NAME] as const),
    ],
    [
      'are not called as members of every object in their parts',
      [complex({ name: 'prototype' })],
      [['attributes/0/subAttributes/0/name', 'is not supported as a name']],
    ],
    [
      'have default parts of their types (RFC 7643 §2.4)',
      [
        complex(
          { name: 'PRIMARY', type: 'boolean' },
          { name: 'type' },
          { name: 'display' },
          { name: '$ref', type: 'reference', referenceTypes: ['uri'] },
        ),
      ],
      [],
    ],
    [
      'do not have default parts of other types (RFC 7643 §2.4)',
      [
        complex(
          { name: 'primary' },
          { name: 'type', type: 'integer' },
          { name: 'Display', type: 'boolean' },
          { name: '$ref' },
        ),
      ],
      ['boolean', 'string', 'string', 'reference'].map(
        (type, at) =>
          [
            `attributes/0/subAttributes/${at}/type`,
            `must be ${type} for a sub-attribute with this name (RFC 7643 §2.4)`,
          ] as const,
      ),
    ],
  ])("a schema's attributes %s", (_, attributes, expected) => {
    const faults = checkAttributes(named(attributes), ['title'])
    expect(faults.map(({ path, message }) => [path.join('/'), message])).toEqual(expected)
  })

  it('a schema has at most 100 attributes, with their parts', () => {
    const parts = Array.from({ length: 9 }, (_, at) => ({ name: `p${at}` }))
    const ten = Array.from({ length: 10 }, (_, at) => ({ ...complex(...parts), name: `a${at}` }))
    expect(checkAttributes(named(ten), [])).toEqual([])
    expect(checkAttributes(named([...ten, { name: 'more' }]), [])).toEqual([
      {
        path: ['attributes'],
        message: 'must not have more than 100 attributes and sub-attributes',
      },
    ])
  })
})

describe("a schema's body", () => {
  const part = { name: 'b', type: 'string', multiValued: true }
  it.each<[string, object, string, string]>([
    [
      'unique attributes are rejected (RFC 7643 §7)',
      { uniqueness: 'server' },
      'attributes.0.uniqueness',
      'must be none: unique custom attributes are not supported',
    ],
    [
      'attributes that no client can set are rejected (RFC 7643 §7)',
      { mutability: 'readOnly' },
      'attributes.0.mutability',
      'must not be readOnly: no client could set the attribute',
    ],
    [
      'an unknown mutability is rejected (RFC 7643 §7)',
      { mutability: 'none' },
      'attributes.0.mutability',
      'must be readWrite, immutable or writeOnly',
    ],
    [
      'sub-attributes with several values are rejected (RFC 7643 §2.3.8)',
      { type: 'complex', subAttributes: [part] },
      'attributes.0.subAttributes.0.multiValued',
      'must be false for a sub-attribute',
    ],
  ])("in a schema's body, %s", (_, attribute, path, message) => {
    const { error } = ExtensionBody.safeParse({
      id: 'urn:example:x',
      name: 'x',
      resourceType: 'User',
      attributes: [{ name: 'a', type: 'string', ...attribute }],
    })
    const issues = error?.issues.map((issue) => [issue.path.join('.'), issue.message])
    expect(issues).toEqual([[path, message]])
  })
})
