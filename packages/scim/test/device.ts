import type { Discovery } from '@plumbline/scim/discovery'

// A resource type that the library does not know, in the shape of the Device of RFC 9944 with its BLE
// extension, and a custom extension with the types that those do not have.

export const DEVICE = 'urn:ietf:params:scim:schemas:core:2.0:Device'
export const BLE = 'urn:ietf:params:scim:schemas:extension:ble:2.0:Device'
export const USAGE = 'urn:example:params:scim:schemas:extension:usage:2.0:Device'

export const device: Discovery.SchemaDefinition = {
  id: DEVICE,
  name: 'Device',
  description: 'A device',
  attributes: [
    { name: 'displayName', type: 'string' },
    { name: 'active', type: 'boolean', required: true },
    { name: 'mudUrl', type: 'reference', caseExact: true, referenceTypes: ['external'] },
    {
      name: 'groups',
      type: 'complex',
      multiValued: true,
      mutability: 'readOnly',
      subAttributes: [
        { name: 'value', type: 'string', mutability: 'readOnly' },
        { name: '$ref', type: 'reference', referenceTypes: ['Group'], mutability: 'readOnly' },
      ],
    },
  ],
}
export const ble: Discovery.SchemaDefinition = {
  id: BLE,
  name: 'bleExtension',
  attributes: [
    { name: 'deviceMacAddress', type: 'string', required: true, mutability: 'immutable' },
    { name: 'isRandom', type: 'boolean', returned: 'request' },
    { name: 'versionSupport', type: 'string', multiValued: true, required: true },
    { name: 'irk', type: 'string', mutability: 'writeOnly', returned: 'never' },
  ],
}
export const usage: Discovery.SchemaDefinition = {
  id: USAGE,
  name: 'Usage',
  attributes: [
    { name: 'connections', type: 'integer' },
    { name: 'voltage', type: 'decimal' },
    { name: 'lastSeen', type: 'dateTime' },
    { name: 'key', type: 'binary', caseExact: true },
    {
      name: 'sightings',
      type: 'complex',
      multiValued: true,
      subAttributes: [
        { name: 'at', type: 'dateTime' },
        { name: 'strength', type: 'integer' },
        { name: 'gateway', type: 'string', mutability: 'readOnly' },
      ],
    },
  ],
}
export const definitions: Discovery.Definitions = { [DEVICE]: device, [BLE]: ble, [USAGE]: usage }

export const sensor = {
  schemas: [DEVICE, BLE, USAGE],
  id: 'd1',
  displayName: 'Heart monitor',
  active: true,
  mudUrl: 'https://example.com/Mud',
  groups: [{ value: 'g1' }],
  [BLE]: {
    deviceMacAddress: '2C:54:91:88:C9:E2',
    isRandom: false,
    versionSupport: ['5.3'],
    irk: 's',
  },
  [USAGE]: {
    connections: 12,
    voltage: 2.9,
    lastSeen: '2026-01-01T02:00:00+02:00',
    key: 'QUJD',
    sightings: [
      { at: '2026-01-01T00:00:00Z', strength: -70, gateway: 'gw1' },
      { at: '2026-01-02T00:00:00Z', strength: -40, gateway: 'gw2' },
    ],
  },
}
