import { isFailure, unwrap } from '@plumbline/result'
import { PATCH_OP_SCHEMA, parseResource, writeResource } from '@plumbline/scim'
import { applyPatch, parsePatch } from '@plumbline/scim/patch'
import { describe, expect, it } from 'vitest'
import { BLE, DEVICE, definitions, device, sensor, USAGE } from './device.ts'

describe('bodies are parsed with only their definitions (RFC 7643 §2)', () => {
  const bleBody = { deviceMacAddress: '2C:54:91:88:C9:E2', versionSupport: ['5.3'] }

  it('a resource of every type is read unchanged, if read-only members are kept', () => {
    expect(unwrap(parseResource(definitions, sensor, { keepReadOnly: true }))).toStrictEqual(sensor)
  })

  it.each<[string, object, object]>([
    ['§2.1: names in any letter case', { DISPLAYNAME: 'a' }, { displayName: 'a' }],
    [
      '§2.5: null and empty lists are absent',
      { displayName: null, [USAGE]: { sightings: [] } },
      {},
    ],
    ['§3.3: read-only members are ignored', { id: 'x', groups: [{ value: 'g' }], meta: {} }, {}],
    ['members without a definition are ignored', { userName: 'b', connections: 1 }, {}],
    ['Entra ID: a boolean as a string', { active: 'False' }, { active: false }],
    [
      'an extension under its URN in any letter case',
      { [USAGE.toUpperCase()]: { Connections: 1, lastSeen: '2026-01-01T02:00:00.12345+02:00' } },
      {
        schemas: [DEVICE, USAGE],
        [USAGE]: { connections: 1, lastSeen: '2026-01-01T02:00:00.12345+02:00' },
      },
    ],
    [
      '§2.4: a repeated value is dropped',
      { [BLE]: { ...bleBody, versionSupport: ['5.3', '5.4', '5.3'] } },
      { schemas: [DEVICE, BLE], [BLE]: { ...bleBody, versionSupport: ['5.3', '5.4'] } },
    ],
    [
      '§3.3: read-only parts in values are ignored',
      { [USAGE]: { sightings: [{ strength: -1, gateway: 5 }] } },
      { schemas: [DEVICE, USAGE], [USAGE]: { sightings: [{ strength: -1 }] } },
    ],
    ['an extension without values is absent', { [BLE]: { isRandom: null, other: 1 } }, {}],
    ['an extension that is listed and absent', { schemas: [BLE, DEVICE] }, {}],
    ['an extension that is null', { [BLE]: null }, {}],
  ])("a device's body is parsed: %s", (_, members, expected) => {
    const body = { active: true, ...members }
    const before = structuredClone(body)
    const resource = unwrap(parseResource(definitions, body))
    expect(resource).toStrictEqual({ schemas: [DEVICE], active: true, ...expected })
    expect(body).toStrictEqual(before)
  })

  it.each<[string, unknown, string, string]>([
    ['a string', 'sensor', 'invalidSyntax', 'the body must be a JSON object'],
    ['no required attribute', {}, 'invalidValue', 'active is required'],
    ['a wrong type', { active: 1 }, 'invalidValue', 'active must be true or false'],
    ["a user's schemas", { active: true, schemas: [BLE] }, 'invalidValue', 'schemas must list'],
    [
      'an extension without its required attribute',
      { active: true, [BLE]: { isRandom: true } },
      'invalidValue',
      `${BLE}:deviceMacAddress is required`,
    ],
    [
      'an extension that is a list',
      { active: true, [BLE]: [] },
      'invalidValue',
      `${BLE} must be an object`,
    ],
    [
      'a part in an extension value',
      { active: true, [USAGE]: { sightings: [{}, { at: '2026-02-30T00:00:00Z' }] } },
      'invalidValue',
      `${USAGE}:sightings[1].at must be a dateTime`,
    ],
    [
      'a name in two spellings',
      { active: true, Active: true },
      'invalidValue',
      'active is duplicated',
    ],
  ])('a body with %s is rejected', (_, body, scimType, message) => {
    const result = parseResource(definitions, body)
    if (!isFailure(result)) throw new Error('was read')
    expect(result.error).toMatchObject({ status: 400, scimType })
    expect(result.error.message.startsWith(message), result.error.message).toBe(true)
  })

  it('schemas is derived from the resource, even if the definition lists it as an attribute', () => {
    const schemas = { name: 'schemas', type: 'reference', multiValued: true } as const
    const listed = { [DEVICE]: { ...device, attributes: [schemas, ...device.attributes] } }
    const resource = { active: true, schemas: [DEVICE, 'urn:x'] }
    const expected = { schemas: [DEVICE], active: true }
    expect(unwrap(parseResource(listed, resource))).toStrictEqual(expected)
    expect(writeResource(resource, listed)).toStrictEqual(expected)
  })

  it('a read-only attribute is not required, because the service provider sets it (RFC 7644 §3.3)', () => {
    const serial = {
      name: 'serial',
      type: 'string',
      required: true,
      mutability: 'readOnly',
    } as const
    const own = { [DEVICE]: { ...device, attributes: [serial] } }
    const expected = { schemas: [DEVICE] }
    expect(unwrap(parseResource(own, {}))).toStrictEqual(expected)
    expect(unwrap(parseResource(own, {}, { keepReadOnly: true }))).toStrictEqual(expected)
  })

  it('more values than maxValues are tooMany', () => {
    const body = { active: true, [BLE]: { ...bleBody, versionSupport: ['5.3', '5.4'] } }
    const result = parseResource(definitions, body, { maxValues: 1 })
    expect(isFailure(result) && result.error.scimType).toBe('tooMany')
  })

  it('a PATCH result is checked', () => {
    const Operations = [{ op: 'replace', path: 'connections', value: 13 }]
    const operations = unwrap(parsePatch({ schemas: [PATCH_OP_SCHEMA], Operations }))
    const patched = unwrap(applyPatch(sensor, operations, { definitions }))
    expect(unwrap(parseResource(definitions, patched, { keepReadOnly: true }))).toStrictEqual(
      patched,
    )
  })
})

describe('resources are written with only their definitions (RFC 7643 §7)', () => {
  const { irk: _, ...bleWritten } = sensor[BLE]

  it('all attributes are written except write-only and never returned ones', () => {
    expect(writeResource(sensor, definitions)).toStrictEqual({ ...sensor, [BLE]: bleWritten })
  })

  it('dates become strings, empty and undefined values are omitted, and present schemas listed', () => {
    const resource = {
      meta: { resourceType: 'Device', created: new Date(0), version: undefined },
      [USAGE]: { lastSeen: new Date(1), sightings: [{}], connections: 0 },
      [BLE]: { irk: 's' },
      externalId: 'e1',
      active: false,
      shoeSize: 9,
      id: 'd1',
      schemas: [DEVICE, BLE],
    }
    const written = writeResource(resource, definitions)
    expect(written).toStrictEqual({
      schemas: [DEVICE, USAGE],
      id: 'd1',
      externalId: 'e1',
      active: false,
      [USAGE]: { connections: 0, lastSeen: '1970-01-01T00:00:00.001Z' },
      meta: { resourceType: 'Device', created: '1970-01-01T00:00:00.000Z' },
    })
    expect(Object.keys(written)).toEqual(['schemas', 'id', 'externalId', 'active', USAGE, 'meta'])
  })

  it('a sub-attribute named ref is different from $ref', () => {
    const subAttributes = [
      { name: 'ref', type: 'string' },
      { name: '$ref', type: 'reference' },
    ] as const
    const owner = { name: 'owner', type: 'complex', subAttributes } as const
    const own = { [DEVICE]: { ...device, attributes: [owner] } }
    const resource = { schemas: [DEVICE], owner: { ref: 'a' } }
    expect(unwrap(parseResource(own, resource))).toStrictEqual(resource)
    expect(writeResource(resource, own)).toStrictEqual(resource)
  })
})
