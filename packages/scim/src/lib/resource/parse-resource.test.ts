import { isFailure, unwrap } from '@plumbline/result'
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
  it('reads the extensions that the definitions contain, under their URN (RFC 7643 §3.3)', () => {
    const body = { ...lamp, [PLACE.toUpperCase()]: { ROOM: '7', floor: 2 } }
    expect(parse(body)).toStrictEqual({
      schemas: [DEVICE, PLACE],
      displayName: 'Lamp',
      [PLACE]: { room: '7' },
    })
  })

  it('requires the attributes of an extension that has a value (RFC 7643 §2.2)', () => {
    const places = { [PLACE]: { room: '' } }
    expect(parseResource(definitions, { ...lamp, ...places })).toMatchObject({
      error: { scimType: 'invalidValue', message: `${PLACE}:room is required` },
    })
    expect(parse({ ...lamp, [PLACE]: { floor: 2 } })).toStrictEqual(lamp)
  })

  it('derives schemas from the resource, whatever else the body lists', () => {
    expect(parse({ ...lamp, schemas: [PLACE, DEVICE, 'urn:other'] })).toStrictEqual(lamp)
  })

  it('does not require read-only members, and ignores those that are sent (RFC 7644 §3.3)', () => {
    const meta = { resourceType: 'Device', location: 5 }
    expect(parse({ ...lamp, id: '7', serial: 's', meta })).toStrictEqual(lamp)
  })

  it('keeps well-formed read-only members if that is asked for, and ignores the others', () => {
    const body = { ...lamp, id: '7', serial: 5, SERIAL: 's' }
    expect(parse(body, { keepReadOnly: true })).toStrictEqual({ ...lamp, id: '7' })
    const meta = { resourceType: 'Device' }
    expect(parse({ ...lamp, serial: 's', meta }, { keepReadOnly: true })).toStrictEqual({
      ...lamp,
      serial: 's',
      meta,
    })
  })

  it('omits a member that is null or undefined (RFC 7643 §2.5)', () => {
    const body = { ...lamp, built: undefined, owner: null, links: undefined }
    expect(parse(body)).toStrictEqual(lamp)
  })

  it('keeps a dateTime as it was sent, and rejects any other string (RFC 7643 §2.3.5)', () => {
    const built = '2026-01-31T12:00:00+01:00'
    expect(parse({ ...lamp, built })).toStrictEqual({ ...lamp, built })
    expect(parseResource(definitions, { ...lamp, built: 'soon' })).toMatchObject({
      error: { scimType: 'invalidValue' },
    })
  })

  it('limits the values of an attribute', () => {
    const links = [{ ref: 'a' }, { ref: 'b' }]
    expect(parse({ ...lamp, links }, { maxValues: 2 })).toStrictEqual({ ...lamp, links })
    const result = parseResource(definitions, { ...lamp, links }, { maxValues: 1 })
    expect(isFailure(result) && result.error.scimType).toBe('tooMany')
  })
})

describe('writeResource', () => {
  it('writes the extensions that the definitions contain, and lists them in schemas', () => {
    const device = { displayName: 'Lamp', [PLACE]: { room: '7', floor: 2 } }
    expect(writeResource(device, definitions)).toStrictEqual({
      schemas: [DEVICE, PLACE],
      displayName: 'Lamp',
      [PLACE]: { room: '7' },
    })
    expect(writeResource({ ...lamp, [PLACE]: { floor: 2 } }, definitions)).toStrictEqual(lamp)
    expect(writeResource({ ...lamp, [PLACE]: 'x' }, definitions)).toStrictEqual(lamp)
  })

  it('derives schemas from the resource', () => {
    expect(writeResource({ ...lamp, schemas: ['urn:other'] }, definitions)).toStrictEqual(lamp)
  })

  it('begins with schemas, id and externalId, and ends with meta', () => {
    const meta = { resourceType: 'Device' }
    const device = { meta, displayName: 'Lamp', [PLACE]: { room: '7' }, externalId: 'e', id: '7' }
    const names = ['schemas', 'id', 'externalId', 'displayName', PLACE, 'meta']
    expect(Object.keys(writeResource(device, definitions))).toStrictEqual(names)
  })

  it('omits null, empty values and values of complex attributes that are not objects', () => {
    const device = { ...lamp, owner: null, links: [null, 'x', {}], built: undefined }
    expect(writeResource(device, definitions)).toStrictEqual(lamp)
    expect(writeResource({ ...lamp, owner: 'o' }, definitions)).toStrictEqual(lamp)
  })

  it('omits a member that is never returned, and writes a Date as a string', () => {
    const device = { ...lamp, pin: '1234', built: new Date(0) }
    expect(writeResource(device, definitions)).toStrictEqual({
      ...lamp,
      built: '1970-01-01T00:00:00.000Z',
    })
  })

  it('writes ref of a model as $ref, unless ref is an attribute of its own', () => {
    const device = { ...lamp, owner: { value: 'o', ref: '/Users/o' }, links: [{ ref: 'a' }] }
    expect(writeResource(device, definitions)).toStrictEqual({
      ...lamp,
      owner: { value: 'o', $ref: '/Users/o' },
      links: [{ ref: 'a' }],
    })
  })
})
