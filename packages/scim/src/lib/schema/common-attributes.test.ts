import { expect, it } from 'vitest'
import { attributeIndex } from './attribute-index.ts'

const index = attributeIndex({ 'urn:x': { id: 'urn:x', name: 'X', attributes: [] } })

/** Name, type, and the characteristics that are not the defaults of RFC 7643 §2.2. */
const rows: readonly (readonly [string, string, object])[] = [
  [
    'schemas',
    'reference',
    { multiValued: true, required: true, caseExact: true, returned: 'always' },
  ],
  ['id', 'string', { caseExact: true, mutability: 'readOnly', returned: 'always' }],
  ['externalId', 'string', { caseExact: true }],
  ['meta', 'complex', { mutability: 'readOnly' }],
  ['meta.resourceType', 'string', { caseExact: true, mutability: 'readOnly' }],
  ['meta.created', 'dateTime', { mutability: 'readOnly' }],
  ['meta.lastModified', 'dateTime', { mutability: 'readOnly' }],
  ['meta.location', 'reference', { caseExact: true, mutability: 'readOnly' }],
  ['meta.version', 'string', { caseExact: true, mutability: 'readOnly' }],
]

it.each(rows)('%s has the characteristics in RFC 7643 §3.1', (path, type, rest) => {
  const [name = '', part] = path.split('.')
  const whole = index.attributes.get(name.toLowerCase())
  const node = part === undefined ? whole : whole?.subAttributes.get(part.toLowerCase())
  expect(node).toMatchObject({
    name: part ?? name,
    type,
    multiValued: false,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    ...rest,
  })
})

it('no other common attribute is defined', () => {
  const names = [...index.attributes.values()].flatMap(({ name, subAttributes }) => [
    name,
    ...Array.from(subAttributes.values(), (part) => `${name}.${part.name}`),
  ])
  expect(names).toEqual(rows.map(([path]) => path))
})
