import { isFailure, unwrap } from '@plumbline/result'
import { compareResources, PATCH_OP_SCHEMA, parseListQuery, project } from '@plumbline/scim'
import { pickAttributes, resourceTypes, schemas } from '@plumbline/scim/discovery'
import { compileFilter, parseFilter } from '@plumbline/scim/filter'
import { applyPatch, parsePatch } from '@plumbline/scim/patch'
import { describe, expect, it } from 'vitest'
import { BLE, ble, DEVICE, definitions, device, sensor, USAGE, usage } from './device.ts'

const [first, second] = sensor[USAGE].sightings

describe('filters', () => {
  it.each([
    ['displayName sw "heart"', true],
    ['active eq true', true],
    ['mudUrl eq "https://example.com/mud"', false],
    ['deviceMacAddress eq "2c:54:91:88:c9:e2"', true],
    [`${BLE}:versionSupport eq "5.3"`, true],
    ['versionSupport eq "4.0"', false],
    ['versionSupport[value sw "5."]', true],
    ['connections ge 12 and connections lt 1.3e1', true],
    ['voltage gt 2.85', true],
    ['lastSeen eq "2026-01-01T00:00:00.000Z"', true],
    ['lastSeen gt "2026-01-01T00:00:00Z"', false],
    ['key eq "qujd"', false],
    ['sightings[strength gt -50 and at gt "2026-01-01T12:00:00Z"]', true],
    ['sightings[strength gt -50 and at lt "2026-01-01T12:00:00Z"]', false],
    [`not (${USAGE}:sightings.gateway eq "gw1")`, false],
    ['groups.value eq "G1"', true],
    ['meta pr', false],
  ])('a device is filtered by %s: %s', (text, expected) => {
    const matches = unwrap(compileFilter(unwrap(parseFilter(text)), { definitions }))
    expect(matches(sensor)).toBe(expected)
  })

  it.each([
    'userName pr',
    'active gt true',
    'connections eq "12"',
    'connections co 1',
    'lastSeen eq "yesterday"',
    'key gt "QUJD"',
    'sightings eq "x"',
    `${DEVICE}:connections pr`,
  ])('%s is invalidFilter', (text) => {
    const result = compileFilter(unwrap(parseFilter(text)), { definitions })
    expect(isFailure(result) && result.error.scimType).toBe('invalidFilter')
  })
})

function patch(...Operations: object[]) {
  const operations = unwrap(parsePatch({ schemas: [PATCH_OP_SCHEMA], Operations }))
  return applyPatch(sensor, operations, { definitions })
}

describe('PATCH', () => {
  it.each<[string, object, object]>([
    ['an integer', { op: 'replace', path: 'connections', value: 13 }, { connections: 13 }],
    ['a decimal', { op: 'replace', path: `${USAGE}:voltage`, value: 3 }, { voltage: 3 }],
    [
      'a dateTime',
      { op: 'add', value: { lastSeen: '2026-02-01T00:00:00Z' } },
      { lastSeen: '2026-02-01T00:00:00Z' },
    ],
    ['null', { op: 'replace', path: 'key', value: null }, { key: undefined }],
    [
      'a value that a filter selects by number',
      { op: 'remove', path: 'sightings[strength lt -50]' },
      { sightings: [second] },
    ],
    [
      'a sub-attribute in a value that a filter selects by date',
      { op: 'replace', path: 'sightings[at gt "2026-01-01T12:00:00Z"].strength', value: -1 },
      { sightings: [first, { ...second, strength: -1 }] },
    ],
    [
      'another value',
      { op: 'add', path: 'sightings', value: { at: '2026-01-03T00:00:00Z' } },
      { sightings: [first, second, { at: '2026-01-03T00:00:00Z' }] },
    ],
  ])('PATCH writes %s', (_, operation, expected) => {
    const { [USAGE]: patched, ...rest } = unwrap(patch(operation))
    const { [USAGE]: before, ...others } = sensor
    const wanted = Object.entries({ ...before, ...expected }).filter(([, one]) => one !== undefined)
    expect(patched).toStrictEqual(Object.fromEntries(wanted))
    expect(rest).toStrictEqual(others)
  })

  it('PATCH adds and removes simple values', () => {
    const added = unwrap(patch({ op: 'add', path: 'versionSupport', value: ['5.3', '5.4'] }))
    expect(added[BLE]).toMatchObject({ versionSupport: ['5.3', '5.4'] })
    const removed = unwrap(
      patch(
        { op: 'add', path: `${BLE}:versionSupport`, value: '5.4' },
        { op: 'remove', path: 'versionSupport[value eq "5.3"]' },
      ),
    )
    expect(removed[BLE]).toMatchObject({ versionSupport: ['5.4'] })
  })

  it.each<[string, object, string]>([
    [
      'an immutable attribute',
      { op: 'replace', path: 'deviceMacAddress', value: 'x' },
      'mutability',
    ],
    [
      'a required list without its last value',
      { op: 'remove', path: 'versionSupport[value pr]' },
      'mutability',
    ],
    ['a required attribute', { op: 'remove', path: 'active' }, 'mutability'],
    [
      'an extension with read-only and immutable attributes',
      { op: 'remove', path: BLE },
      'mutability',
    ],
    ['a read-only list', { op: 'add', path: 'groups', value: [{ value: 'g2' }] }, 'mutability'],
    [
      'a read-only part in new values',
      { op: 'add', path: 'sightings', value: [{ gateway: 'gw3' }] },
      'mutability',
    ],
    [
      'a read-only part in all values',
      { op: 'replace', path: 'sightings', value: [{ gateway: 'gw3' }] },
      'mutability',
    ],
    [
      'a read-only part in a value that is replaced',
      { op: 'replace', path: 'sightings[strength eq -70]', value: { strength: 1, gateway: 'gw3' } },
      'mutability',
    ],
    [
      'an integer by a fraction',
      { op: 'replace', path: 'connections', value: 1.5 },
      'invalidValue',
    ],
    ['an integer by a word', { op: 'replace', path: 'connections', value: 'one' }, 'invalidValue'],
    ['a decimal by a string', { op: 'replace', path: 'voltage', value: '1' }, 'invalidValue'],
    [
      'a dateTime by a day',
      { op: 'replace', path: 'lastSeen', value: '2026-01-01' },
      'invalidValue',
    ],
    ["a user's attribute", { op: 'add', path: 'userName', value: 'b' }, 'invalidPath'],
  ])('PATCH rejects %s', (_, operation, scimType) => {
    const result = patch(operation)
    expect(isFailure(result) && result.error).toMatchObject({ status: 400, scimType })
  })

  it('PATCH accepts all values the server returned', () => {
    const result = patch({ op: 'replace', path: 'sightings', value: [second, first] })
    expect(unwrap(result)[USAGE]).toMatchObject({ sightings: [second, first] })
  })

  it('PATCH removes an optional extension', () => {
    const { [USAGE]: _, ...rest } = sensor
    expect(unwrap(patch({ op: 'remove', path: USAGE }))).toStrictEqual({
      ...rest,
      schemas: [DEVICE, BLE],
    })
  })
})

describe('projections', () => {
  const { schemas: listed, id } = sensor
  const { irk: _, isRandom, ...bleByDefault } = sensor[BLE]

  it('projections omit attributes not returned or not requested', () => {
    expect(project(sensor, {}, definitions)).toStrictEqual({ ...sensor, [BLE]: bleByDefault })
  })

  it.each<[string[], object]>([
    [['isRandom'], { [BLE]: { isRandom } }],
    [['irk'], {}],
    [['sightings.strength'], { [USAGE]: { sightings: [{ strength: -70 }, { strength: -40 }] } }],
    [[USAGE], { [USAGE]: sensor[USAGE] }],
    [
      ['displayName', `${BLE}:versionSupport`],
      { displayName: sensor.displayName, [BLE]: { versionSupport: ['5.3'] } },
    ],
  ])('a projection has only the attributes %j', (attributes, expected) => {
    expect(project(sensor, { attributes }, definitions)).toStrictEqual({
      schemas: listed,
      id,
      ...expected,
    })
  })
})

it('custom resources are sorted by every type', () => {
  const at = (at: number) => ({
    id: String(at),
    [USAGE]: { connections: at, voltage: at / 2, lastSeen: `2026-01-0${at}T00:00:00Z` },
  })
  for (const sortBy of ['connections', 'voltage', 'lastSeen', `${USAGE}:connections`, 'id']) {
    const order = compareResources({ sortBy, sortOrder: 'descending' }, definitions)
    expect([at(2), at(9), at(1)].sort(order)).toStrictEqual([at(9), at(2), at(1)])
  }
})

it('list queries are read against the definitions', () => {
  const read = (query: string) =>
    parseListQuery(new URL(`http://localhost/Devices?${query}`), { attributes: definitions })
  expect(read('filter=sightings[strength+gt+-50]&sortBy=voltage&attributes=irk').status).toBe(
    'success',
  )
  expect(read('sortBy=userName').status).toBe('failure')
})

it('discovery documents describe the custom type', () => {
  const { Resources } = schemas({ ...definitions, [DEVICE]: pickAttributes(device, ['active']) })
  expect(Resources).toMatchObject([
    { id: DEVICE, description: 'A device', attributes: [{ name: 'active', required: true }] },
    { id: BLE, attributes: ble.attributes },
    { id: USAGE, attributes: usage.attributes },
  ])
  const extensions = [BLE, USAGE].map((schema) => ({ schema, required: schema === BLE }))
  const types = resourceTypes([{ id: 'Device', endpoint: '/Devices', schema: DEVICE, extensions }])
  expect(types.Resources).toMatchObject([
    { id: 'Device', endpoint: '/Devices', schema: DEVICE, schemaExtensions: extensions },
  ])
})
