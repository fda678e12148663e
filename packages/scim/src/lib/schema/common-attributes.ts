import type { Attribute } from './types.ts'

/** RFC 7643 §3 and §3.1: the attributes common to all resources, whatever their schemas. */
export const COMMON_ATTRIBUTES: readonly Attribute[] = [
  {
    name: 'schemas',
    type: 'reference',
    multiValued: true,
    required: true,
    caseExact: true,
    returned: 'always',
  },
  { name: 'id', type: 'string', caseExact: true, mutability: 'readOnly', returned: 'always' },
  { name: 'externalId', type: 'string', caseExact: true },
  {
    name: 'meta',
    type: 'complex',
    mutability: 'readOnly',
    subAttributes: [
      { name: 'resourceType', type: 'string', caseExact: true, mutability: 'readOnly' },
      { name: 'created', type: 'dateTime', mutability: 'readOnly' },
      { name: 'lastModified', type: 'dateTime', mutability: 'readOnly' },
      { name: 'location', type: 'reference', caseExact: true, mutability: 'readOnly' },
      { name: 'version', type: 'string', caseExact: true, mutability: 'readOnly' },
    ],
  },
]
