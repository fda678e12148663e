import { isFailure, unwrap } from '@plumbline/result'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Attribute, Definitions } from '../schema/types.ts'
import { parseResource } from './parse-resource.ts'
import { writeResource } from './write-resource.ts'

const DEVICE = 'urn:example:2.0:Device'
const PLACE = 'urn:example:extension:place:2.0:Device'
const text = (name: string, rest: Partial<Attribute> = {}): Attribute => ({
  name,
  type: 'string',
  ...rest,
})
const definitions: Definitions = {
  [DEVICE]: {
    id: DEVICE,
    name: 'Device',
    attributes: [
      text('displayName', { required: true }),
      text('serial', { mutability: 'readOnly', required: true }),
      text('pin', { returned: 'never' }),
      { name: 'built', type: 'dateTime' },
      { name: 'count', type: 'integer' },
      { name: 'key', type: 'binary' },
      text('tags', { multiValued: true }),
      {
        name: 'owner',
        type: 'complex',
        subAttributes: [text('value'), { name: '$ref', type: 'reference' }],
      },
      {
        name: 'links',
        type: 'complex',
        multiValued: true,
        subAttributes: [text('ref'), { name: '$ref', type: 'reference' }],
      },
    ],
  },
  [PLACE]: { id: PLACE, name: 'Place', attributes: [text('room', { required: true })] },
}
const lamp = { schemas: [DEVICE], displayName: 'Lamp' }
const parse = (body: object, options = {}) => unwrap(parseResource(definitions, body, options))

describe('parseResource', () => {
  it('extensions in the definitions are read, under their URN (RFC 7643 §3.3)', () => {
    const body = { ...lamp, [PLACE.toUpperCase()]: { ROOM: '7', floor: 2 } }
    expect(parse(body)).toStrictEqual({
      schemas: [DEVICE, PLACE],
      displayName: 'Lamp',
      [PLACE]: { room: '7' },
    })
  })

  it('an extension with a value needs the required attributes (RFC 7643 §2.2)', () => {
    const places = { [PLACE]: { room: '' } }
    expect(parseResource(definitions, { ...lamp, ...places })).toMatchObject({
      error: { scimType: 'invalidValue', message: `${PLACE}:room is required` },
    })
    expect(parse({ ...lamp, [PLACE]: { floor: 2 } })).toStrictEqual(lamp)
  })

  it("core attributes are read below the core schema's URN, as in PATCH", () => {
    const body = { [DEVICE.toUpperCase()]: { DisplayName: 'Lamp', pin: '1', serial: 's', x: 1 } }
    expect(parse(body)).toStrictEqual({ ...lamp, pin: '1' })
    expect(parse({ ...lamp, [DEVICE]: { displayName: 'Lamp', pin: '1' } })).toStrictEqual({
      ...lamp,
      pin: '1',
    })
    expect(parse({ ...lamp, [DEVICE]: null })).toStrictEqual(lamp)
    expect(parse({ ...lamp, [DEVICE]: { links: null }, links: [] })).toStrictEqual(lamp)
  })

  it('the same resource is read, however the attributes are divided', () => {
    const members = fc.record({
      displayName: fc.constantFrom('Lamp', 'Bulb'),
      pin: fc.constantFrom('1', '2', null),
      built: fc.constant('2026-01-01T00:00:00Z'),
      count: fc.maxSafeInteger(),
      tags: fc.array(fc.constantFrom('a', 'b')),
      owner: fc.record({ value: fc.constantFrom('o', null) }),
    })
    const names = fc.subarray(['displayName', 'pin', 'built', 'count', 'tags', 'owner'])
    fc.assert(
      fc.property(members, names, names, (body, below, above) => {
        const isBelow = (name: string) => below.includes(name) || !above.includes(name)
        const entries = Object.entries(body)
        const divided = {
          ...Object.fromEntries(entries.filter(([name]) => above.includes(name))),
          [DEVICE]: Object.fromEntries(entries.filter(([name]) => isBelow(name))),
        }
        const whole = Object.entries(parse(body)).sort()
        expect(Object.entries(parse(divided)).sort()).toStrictEqual(whole)
      }),
    )
  })

  it.each<[string, unknown, string]>([
    ['another value', { displayName: 'Bulb' }, `${DEVICE}:displayName differs from displayName`],
    ['null', { displayName: null }, `${DEVICE}:displayName differs from displayName`],
    ['two spellings', { pin: 'a', PIN: 'b' }, 'pin is duplicated in different letter case'],
    ['a list', [], `${DEVICE} must be an object`],
    ['a string', 'x', `${DEVICE} must be an object`],
    ['a value with another type', { pin: 5 }, 'pin must be a string'],
  ])("%s below the core schema's URN is rejected", (_, value, message) => {
    expect(parseResource(definitions, { ...lamp, [DEVICE]: value })).toMatchObject({
      error: { scimType: 'invalidValue', message },
    })
  })

  it('values at both places that nest deeper than the stack are rejected', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const body = JSON.parse(`{"displayName":"Lamp","pin":${deep},"${DEVICE}":{"pin":${deep}}}`)
    expect(parseResource(definitions, body)).toMatchObject({ error: { scimType: 'invalidValue' } })
  })

  it('a list of strings with wrapped values is read, as in PATCH', () => {
    const tags = [{ value: 'a' }, 'b', { $ref: null, VALUE: 'c' }, { value: null }, null]
    expect(parse({ ...lamp, tags }).tags).toStrictEqual(['a', 'b', 'c'])
    for (const value of [{ value: 'a', type: 'b' }, { name: 'a' }, {}, { value: { value: 'a' } }]) {
      expect(parseResource(definitions, { ...lamp, tags: [value] })).toMatchObject({
        error: { message: 'tags[0] must be a string' },
      })
    }
  })

  it('a required string needs a visible character, unless it is already stored', () => {
    // A no-break space, a zero-width space, a soft hyphen, a Hangul filler and a braille blank.
    const body = { displayName: ' \u2003\n\u00a0\u200b\u00ad\u115f\u2800' }
    expect(parseResource(definitions, body)).toMatchObject({
      error: { scimType: 'invalidValue', message: 'displayName is required' },
    })
    expect(parse(body, { isStored: true })).toMatchObject(body)
  })

  it('stored values older than a check are accepted', () => {
    const body = { ...lamp, count: 2 ** 60, key: '%HELLO%' }
    expect(parse(body, { keepReadOnly: true })).toMatchObject(body)
    expect(parseResource(definitions, { ...lamp, key: '%HELLO%' })).toMatchObject({
      error: { message: 'key must be base64' },
    })
    expect(parseResource(definitions, { ...lamp, count: 2 ** 60 })).toMatchObject({
      error: { message: 'count must be within ±(2^53-1)' },
    })
    expect(parseResource(definitions, { ...lamp, key: 5 }, { isStored: true })).toMatchObject({
      error: { message: 'key must be a string' },
    })
  })

  it('schemas is derived from the resource, whatever else the body lists', () => {
    expect(parse({ ...lamp, schemas: [PLACE, DEVICE, 'urn:other'] })).toStrictEqual(lamp)
  })

  it('read-only members are not required, and ignored when sent (RFC 7644 §3.3)', () => {
    const meta = { resourceType: 'Device', location: 5 }
    expect(parse({ ...lamp, id: '7', serial: 's', meta })).toStrictEqual(lamp)
  })

  it('well-formed read-only members are kept on request, and others are ignored', () => {
    const body = { ...lamp, id: '7', serial: 5, SERIAL: 's' }
    expect(parse(body, { keepReadOnly: true })).toStrictEqual({ ...lamp, id: '7' })
    const meta = { resourceType: 'Device' }
    expect(parse({ ...lamp, serial: 's', meta }, { keepReadOnly: true })).toStrictEqual({
      ...lamp,
      serial: 's',
      meta,
    })
  })

  it('a null or undefined member is omitted (RFC 7643 §2.5)', () => {
    const body = { ...lamp, built: undefined, owner: null, links: undefined }
    expect(parse(body)).toStrictEqual(lamp)
  })

  it('a dateTime is kept as sent, and any other string is rejected (RFC 7643 §2.3.5)', () => {
    const built = '2026-01-31T12:00:00+01:00'
    expect(parse({ ...lamp, built })).toStrictEqual({ ...lamp, built })
    expect(parseResource(definitions, { ...lamp, built: 'soon' })).toMatchObject({
      error: { scimType: 'invalidValue' },
    })
  })

  it('the number of values per attribute is limited', () => {
    const links = [{ ref: 'a' }, { ref: 'b' }]
    expect(parse({ ...lamp, links }, { maxValues: 2 })).toStrictEqual({ ...lamp, links })
    const result = parseResource(definitions, { ...lamp, links }, { maxValues: 1 })
    expect(isFailure(result) && result.error.scimType).toBe('tooMany')
  })
})

describe('writeResource', () => {
  it('extensions in the definitions are written, and listed in schemas', () => {
    const device = { displayName: 'Lamp', [PLACE]: { room: '7', floor: 2 } }
    expect(writeResource(device, definitions)).toStrictEqual({
      schemas: [DEVICE, PLACE],
      displayName: 'Lamp',
      [PLACE]: { room: '7' },
    })
    expect(writeResource({ ...lamp, [PLACE]: { floor: 2 } }, definitions)).toStrictEqual(lamp)
    expect(writeResource({ ...lamp, [PLACE]: 'x' }, definitions)).toStrictEqual(lamp)
  })

  it('schemas is derived from the written resource', () => {
    expect(writeResource({ ...lamp, schemas: ['urn:other'] }, definitions)).toStrictEqual(lamp)
  })

  it('a written resource begins with schemas, id and externalId, and ends with meta', () => {
    const meta = { resourceType: 'Device' }
    const device = { meta, displayName: 'Lamp', [PLACE]: { room: '7' }, externalId: 'e', id: '7' }
    const names = ['schemas', 'id', 'externalId', 'displayName', PLACE, 'meta']
    expect(Object.keys(writeResource(device, definitions))).toStrictEqual(names)
  })

  it('null, empty values and complex values that are not objects are omitted', () => {
    const device = { ...lamp, owner: null, links: [null, 'x', {}], built: undefined }
    expect(writeResource(device, definitions)).toStrictEqual(lamp)
    expect(writeResource({ ...lamp, owner: 'o' }, definitions)).toStrictEqual(lamp)
  })

  it('a never returned member is omitted, and a Date is written as a string', () => {
    const device = { ...lamp, pin: '1234', built: new Date(0) }
    expect(writeResource(device, definitions)).toStrictEqual({
      ...lamp,
      built: '1970-01-01T00:00:00.000Z',
    })
  })

  it("a model's ref is written as $ref, unless ref is a separate attribute", () => {
    const device = { ...lamp, owner: { value: 'o', ref: '/Users/o' }, links: [{ ref: 'a' }] }
    expect(writeResource(device, definitions)).toStrictEqual({
      ...lamp,
      owner: { value: 'o', $ref: '/Users/o' },
      links: [{ ref: 'a' }],
    })
  })
})
