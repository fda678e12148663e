import type { Discovery } from '@plumbline/scim/discovery'

const MAINTENANCE = 'urn:example:params:scim:schemas:extension:maintenance:2.0:Machine'

/** A resource type whose attributes have every mutability, in every place: RFC 7643 §7. */
const MACHINE: Discovery.SchemaDefinition = {
  id: 'urn:example:params:scim:schemas:core:2.0:Machine',
  name: 'Machine',
  attributes: [
    {
      name: 'barcode',
      type: 'string',
      caseExact: true,
      uniqueness: 'server',
      returned: 'always',
    },
    { name: 'name', type: 'string', required: true, uniqueness: 'server' },
    { name: 'label', type: 'string' },
    { name: 'site', type: 'string', required: true },
    { name: 'code', type: 'string', mutability: 'immutable' },
    { name: 'rank', type: 'string', mutability: 'readOnly' },
    { name: 'pin', type: 'string', mutability: 'writeOnly', returned: 'never' },
    { name: 'hint', type: 'string', returned: 'never' },
    { name: 'link', type: 'reference', caseExact: true, referenceTypes: ['external'] },
    { name: 'state', type: 'string', canonicalValues: ['off', 'on'] },
    {
      name: 'origin',
      type: 'complex',
      subAttributes: [
        { name: 'country', type: 'string' },
        { name: 'site', type: 'string', mutability: 'immutable' },
        { name: 'rank', type: 'string', mutability: 'readOnly' },
        { name: 'stages', type: 'string', multiValued: true },
      ],
    },
    {
      name: 'maker',
      type: 'complex',
      mutability: 'immutable',
      subAttributes: [
        { name: 'label', type: 'string' },
        { name: 'note', type: 'string', returned: 'request' },
      ],
    },
    {
      name: 'twin',
      type: 'complex',
      subAttributes: [
        { name: 'value', type: 'string' },
        { name: '$ref', type: 'reference', referenceTypes: ['Machine'] },
        { name: 'label', type: 'string' },
      ],
    },
    {
      name: 'manual',
      type: 'complex',
      subAttributes: [
        { name: 'value', type: 'string' },
        { name: '$ref', type: 'reference', referenceTypes: ['external'] },
      ],
    },
    {
      name: 'parts',
      type: 'complex',
      multiValued: true,
      subAttributes: [
        { name: 'value', type: 'string', mutability: 'immutable' },
        { name: '$ref', type: 'reference', referenceTypes: ['Machine'], mutability: 'immutable' },
      ],
    },
    {
      name: 'helpers',
      type: 'complex',
      multiValued: true,
      subAttributes: [
        { name: 'value', type: 'string' },
        { name: '$ref', type: 'reference', referenceTypes: ['Machine', 'uri'] },
      ],
    },
    {
      name: 'spares',
      type: 'complex',
      multiValued: true,
      mutability: 'immutable',
      subAttributes: [
        { name: 'value', type: 'string' },
        { name: '$ref', type: 'reference', referenceTypes: ['Machine'] },
      ],
    },
    {
      name: 'ports',
      type: 'complex',
      multiValued: true,
      subAttributes: [
        { name: 'value', type: 'string' },
        { name: 'url', type: 'reference', referenceTypes: ['external'] },
        { name: 'speed', type: 'integer' },
        { name: 'vendor', type: 'string', mutability: 'readOnly' },
        { name: 'type', type: 'string', canonicalValues: ['in', 'out', 'both'] },
        { name: 'primary', type: 'boolean' },
      ],
    },
    {
      name: 'phones',
      type: 'complex',
      multiValued: true,
      required: true,
      subAttributes: [
        { name: 'value', type: 'string' },
        { name: 'type', type: 'string', canonicalValues: ['work'] },
      ],
    },
    {
      name: 'seals',
      type: 'complex',
      multiValued: true,
      subAttributes: [
        { name: 'value', type: 'string' },
        { name: 'type', type: 'string', mutability: 'immutable' },
      ],
    },
    {
      name: 'spans',
      type: 'complex',
      multiValued: true,
      subAttributes: [{ name: 'from', type: 'integer' }],
    },
    { name: 'marks', type: 'string', multiValued: true, mutability: 'immutable' },
    { name: 'codes', type: 'string', multiValued: true, mutability: 'writeOnly' },
  ],
}

const maintenance: Discovery.SchemaDefinition = {
  id: MAINTENANCE,
  name: 'Maintenance',
  attributes: [
    { name: 'contract', type: 'string', mutability: 'immutable' },
    { name: 'label', type: 'string' },
    { name: 'seen', type: 'dateTime', returned: 'request' },
    {
      name: 'partner',
      type: 'complex',
      subAttributes: [
        { name: 'value', type: 'string' },
        { name: '$ref', type: 'reference', referenceTypes: ['Machine'] },
        { name: 'label', type: 'string', mutability: 'readOnly' },
      ],
    },
  ],
}

export const MACHINES: Discovery.Definitions = {
  [MACHINE.id]: MACHINE,
  [MAINTENANCE]: maintenance,
}
