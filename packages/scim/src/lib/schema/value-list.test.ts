import { describe, expect, it } from 'vitest'
import { type AttributeNode, attributeIndex } from './attribute-index.ts'
import type { Attribute } from './types.ts'
import { distinctValues, isPrimary, requireFewValues, requireOnePrimary } from './value-list.ts'

const string = (name: string, rest: Partial<Attribute> = {}): Attribute => ({
  name,
  type: 'string',
  ...rest,
})

/** The node of an attribute `list`, or of the path below it. */
function nodeOf(attribute: Attribute, part?: string): AttributeNode {
  const index = attributeIndex({ x: { id: 'urn:x', name: 'X', attributes: [attribute] } })
  const node = index.attributes.get(attribute.name.toLowerCase())
  const found = part === undefined ? node : node?.subAttributes.get(part)
  if (found === undefined) throw new Error('no such attribute')
  return found
}

const emails = nodeOf({
  name: 'emails',
  type: 'complex',
  multiValued: true,
  subAttributes: [string('value'), string('type'), { name: 'primary', type: 'boolean' }],
})
const untyped = nodeOf({
  name: 'links',
  type: 'complex',
  multiValued: true,
  subAttributes: [string('value')],
})
const keys = nodeOf({
  name: 'keys',
  type: 'complex',
  multiValued: true,
  subAttributes: [string('value', { caseExact: true }), string('type', { caseExact: true })],
})

describe('values that are stored once (RFC 7643 §2.4)', () => {
  it.each<[string, AttributeNode, unknown[], unknown[]]>([
    ['equal strings', nodeOf(string('tags')), ['a', 'b', 'a'], ['a', 'b']],
    ['strings in another letter case', nodeOf(string('tags')), ['a', 'A'], ['a']],
    [
      'strings if the attribute is case exact',
      nodeOf(string('tags', { caseExact: true })),
      ['a', 'A', 'a'],
      ['a', 'A'],
    ],
    ['numbers, but not a string with the same digits', nodeOf(string('n')), [1, '1', 1], [1, '1']],
    ['equal booleans', nodeOf(string('n')), [true, false, true], [true, false]],
    [
      'the same value and type, in another letter case',
      emails,
      [
        { value: 'a', type: 'work' },
        { value: 'A', type: 'WORK', display: 'later' },
      ],
      [{ value: 'a', type: 'work' }],
    ],
    [
      'values in another letter case, if they are case exact',
      keys,
      [{ value: 'a' }, { value: 'A' }],
      [{ value: 'a' }, { value: 'A' }],
    ],
    [
      'types in another letter case, if they are case exact',
      keys,
      [
        { value: 'a', type: 't' },
        { value: 'a', type: 'T' },
      ],
      [
        { value: 'a', type: 't' },
        { value: 'a', type: 'T' },
      ],
    ],
    [
      'the same value with another type, or without one',
      emails,
      [{ value: 'a', type: 'work' }, { value: 'a', type: 'home' }, { value: 'a' }],
      [{ value: 'a', type: 'work' }, { value: 'a', type: 'home' }, { value: 'a' }],
    ],
    [
      'the same value, and a type without a definition',
      untyped,
      [
        { value: 'a', type: 't' },
        { value: 'a', type: 'T' },
        { value: 'a', type: 'u' },
      ],
      [
        { value: 'a', type: 't' },
        { value: 'a', type: 'u' },
      ],
    ],
    [
      "the primary among equal values, in the first one's place",
      emails,
      [{ value: 'a' }, { value: 'b' }, { value: 'a', primary: true }, { value: 'a' }],
      [{ value: 'a', primary: true }, { value: 'b' }],
    ],
    [
      'objects without a value, which are all kept',
      emails,
      [{ type: 'work' }, { type: 'work' }, { value: null }, { value: null }],
      [{ type: 'work' }, { type: 'work' }, { value: null }, { value: null }],
    ],
  ])('equal values are stored once: %s', (_, node, values, expected) => {
    expect(distinctValues(values, node)).toStrictEqual(expected)
  })
})

describe('at most one value is primary (RFC 7643 §2.4)', () => {
  it.each<[unknown, boolean]>([
    [{ primary: true }, true],
    [{ primary: false }, false],
    [{ primary: 'true' }, false],
    [{}, false],
    [null, false],
    ['primary', false],
    [[{ primary: true }], false],
  ])('the value %j is primary: %s', (value, expected) => {
    expect(isPrimary(value)).toBe(expected)
  })

  it('two primary values are rejected', () => {
    const one = [{ primary: true }, { primary: false }]
    expect(() => requireOnePrimary(one, 'emails')).not.toThrow()
    expect(() => requireOnePrimary([...one, { primary: true }], 'emails')).toThrow(
      'emails has more than one primary value',
    )
  })
})

describe('the number of values is limited (RFC 7644 Table 9, tooMany)', () => {
  const members: Attribute = string('Members', { multiValued: true })

  it('one value too many is rejected', () => {
    expect(() => requireFewValues(3, emails, 'emails', 3)).not.toThrow()
    expect(() => requireFewValues(4, emails, 'emails', 3)).toThrow('emails has more than 3 values')
  })

  it('any number of members is accepted, in any letter case (RFC 7643 §4.2)', () => {
    expect(() => requireFewValues(4, nodeOf(members), 'members', 3)).not.toThrow()
  })

  it('a sub-attribute named members is limited', () => {
    const team: Attribute = { name: 'team', type: 'complex', subAttributes: [members] }
    expect(() => requireFewValues(4, nodeOf(team, 'members'), 'team.members', 3)).toThrow()
  })
})
