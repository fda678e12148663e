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
    ['RFC 8141 §2, is valid', 'urn:example:user_2.0-a:User', null],
    ['RFC 8141 §3.1, is valid in capitals', 'URN:EXAMPLE:USER', null],
    ['RFC 8141 §2, may have a name of 32 characters', `urn:${'a'.repeat(32)}:x`, null],
    ['RFC 8141 §2, has a name of at most 32 characters', `urn:${'a'.repeat(33)}:x`, NOT_URN],
    ['RFC 8141 §2, has a name of at least two characters', 'urn:a:x', NOT_URN],
    ['RFC 8141 §2, has a name that does not start with a hyphen', 'urn:-a:x', NOT_URN],
    ['RFC 8141 §2, has a part after its name', 'urn:example', NOT_URN],
    ['RFC 8141 §2, does not have an empty part', 'urn:example::x', NOT_URN],
    ['RFC 8141 §2, starts with urn', 'x:urn:example:x', NOT_URN],
    ['RFC 7644 §3.10, does not end with a separator', 'urn:example:x.', NOT_URN],
    ['RFC 7644 §3.10, does not have other characters', 'urn:example:x/y', NOT_URN],
    ['RFC 7643 §10.2, is not of the core', 'urn:ietf:params:scim:schemas:core:2.0:X', RESERVED],
    ['RFC 7643 §10.2, is not the core', 'urn:ietf:params:SCIM:schemas:core', RESERVED],
    ['RFC 7644 §8.2, is not of messages', 'urn:ietf:params:scim:api:messages:2.0:X', RESERVED],
    ['RFC 7643 §10.2, may start like the core', 'urn:ietf:params:scim:schemas:corex:X', null],
    ['RFC 7643 §10.2, may contain a URN of the core', 'urn:example:urn:ietf:params:scim:api', null],
    ['RFC 7643 §10, may be one of IETF', 'urn:ietf:params:scim:schemas:extension:x:X', null],
    ['RFC 7643 §7, is unique', OTHER, `the schema ${OTHER} already exists`],
    [
      'RFC 7643 §7, is unique in any letter case',
      OTHER.toUpperCase(),
      `the schema ${OTHER} already exists`,
    ],
    ['RFC 7644 §3.10, is not the start of another', 'urn:example:badge', PART],
    ['RFC 7644 §3.10, is not the start of another before a dot', 'urn:example:Badge:1', PART],
    ['RFC 7644 §3.10, does not start with another', `${OTHER}:more`, PART],
    ['RFC 7644 §3.10, does not start with another and a dot', `${OTHER}.more`, PART],
    ['RFC 7644 §3.10, may start with the same letters', `${OTHER}s`, null],
  ])('%s: %s', (_, urn, message) => {
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
    ['RFC 7643 §2.1, have valid names', [{ name: 'a1_-$' }, { name: 'B' }], []],
    ['RFC 7643 §2.1, do not start with a digit', [{ name: '1a' }], [['attributes/0/name', NAME]]],
    ['RFC 7643 §2.1, do not have a dot', [{ name: 'a.b' }], [['attributes/0/name', NAME]]],
    ['RFC 7643 §2.4, are not called $ref', [{ name: '$ref' }], [['attributes/0/name', NAME]]],
    [
      'are not called as members of every object',
      [{ name: 'Constructor' }, { name: 'prototype' }],
      [
        ['attributes/0/name', 'is not supported as a name'],
        ['attributes/1/name', 'is not supported as a name'],
      ],
    ],
    [
      'RFC 7643 §3.1, are not common attributes',
      [{ name: 'ID' }, { name: 'schemas' }, { name: 'meta' }, { name: 'externalid' }],
      [0, 1, 2, 3].map((at) => [`attributes/${at}/name`, CORE] as const),
    ],
    ['RFC 7643 §3.3, are not core attributes', [{ name: 'TITLE' }], [['attributes/0/name', CORE]]],
    [
      'RFC 7643 §2.1, have different names',
      [{ name: 'a' }, { name: 'b' }, { name: 'A' }],
      [['attributes/2/name', DUPLICATED]],
    ],
    ['RFC 7643 §7, may say that they are not unique', [{ uniqueness: 'none' }], []],
    ['RFC 7643 §7, may be only written', [{ mutability: 'writeOnly' }], []],
    ['RFC 7643 §7, may say so twice', [{ mutability: 'writeOnly', returned: 'never' }], []],
    ['RFC 7643 §7, may be always returned', [{ mutability: 'immutable', returned: 'always' }], []],
    [
      'RFC 7643 §7, are not returned if they are only written',
      [{ mutability: 'writeOnly', returned: 'default' }],
      [['attributes/0/returned', 'must be never for a writeOnly attribute']],
    ],
    ['RFC 7643 §7, may have canonical values', [{ canonicalValues: ['x'] }], []],
    [
      'RFC 7643 §7, have canonical values only if they are strings',
      [{ type: 'integer', canonicalValues: ['1'] }],
      [['attributes/0/canonicalValues', 'must be absent unless the type is string']],
    ],
    ['RFC 7643 §7, may refer', [{ type: 'reference', referenceTypes: ['User'] }], []],
    [
      'RFC 7643 §7, refer to a type',
      [{ type: 'reference' }],
      [['attributes/0/referenceTypes', 'must be present for the type reference']],
    ],
    [
      'RFC 7643 §7, refer only as references',
      [{ referenceTypes: ['User'] }],
      [['attributes/0/referenceTypes', 'must be absent unless the type is reference']],
    ],
    ['RFC 7643 §7, may have empty lists', [{ referenceTypes: [], subAttributes: [] }], []],
    [
      'RFC 7643 §2.3.8, have parts if they are complex',
      [{ type: 'complex' }],
      [['attributes/0/subAttributes', 'must not be empty for the type complex']],
    ],
    [
      'RFC 7643 §2.3.8, have parts only if they are complex',
      [{ subAttributes: named([{}]) }],
      [['attributes/0/subAttributes', 'must be absent unless the type is complex']],
    ],
    [
      'RFC 7643 §2.3.8, have parts with valid and different names',
      [complex({ name: 'b' }, { name: '1' }, { name: 'B' })],
      [
        ['attributes/0/subAttributes/1/name', NAME],
        ['attributes/0/subAttributes/2/name', DUPLICATED],
      ],
    ],
    [
      'RFC 7643 §2.1, have parts whose whole names are valid',
      [complex({ name: '1a' }, { name: 'a.b' }, { name: '1$ref' }, { name: '$refs' })],
      [0, 1, 2, 3].map((at) => [`attributes/0/subAttributes/${at}/name`, NAME] as const),
    ],
    [
      'are not called as members of every object in their parts',
      [complex({ name: 'prototype' })],
      [['attributes/0/subAttributes/0/name', 'is not supported as a name']],
    ],
    [
      'RFC 7643 §2.4, have default parts of their types',
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
      'RFC 7643 §2.4, do not have default parts of other types',
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
  ])('%s', (_, attributes, expected) => {
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
      'RFC 7643 §7, unique attributes are rejected',
      { uniqueness: 'server' },
      'attributes.0.uniqueness',
      'must be none: unique custom attributes are not supported',
    ],
    [
      'RFC 7643 §7, attributes that no client can set are rejected',
      { mutability: 'readOnly' },
      'attributes.0.mutability',
      'must not be readOnly: no client could set the attribute',
    ],
    [
      'RFC 7643 §7, an unknown mutability is rejected',
      { mutability: 'none' },
      'attributes.0.mutability',
      'must be readWrite, immutable or writeOnly',
    ],
    [
      'RFC 7643 §2.3.8, sub-attributes with several values are rejected',
      { type: 'complex', subAttributes: [part] },
      'attributes.0.subAttributes.0.multiValued',
      'must be false for a sub-attribute',
    ],
  ])('%s', (_, attribute, path, message) => {
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
