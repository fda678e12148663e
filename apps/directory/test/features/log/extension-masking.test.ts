import { expect, it } from 'vitest'
import { mask } from '../../../src/features/log/mask.ts'
import { maskQuery } from '../../../src/features/log/mask-text.ts'
import { sensitivityOf } from '../../../src/features/log/sensitive.ts'
import { extendTypes } from '../../../src/features/scim/stored-types.ts'
import { RESOURCE_TYPES } from '../../../src/kernel/resources/resource-types.ts'

const URN = 'urn:example:acme:1.0:User'
const attributes = [
  { name: 'door', type: 'string', mutability: 'writeOnly' },
  {
    name: 'badge',
    type: 'complex',
    subAttributes: [{ name: 'code$', type: 'string', returned: 'never' }],
  },
] as const
const definition = { id: URN, name: 'Acme', attributes }
const types = extendTypes([{ resourceType: 'User', required: false, definition }])
const sensitivity = sensitivityOf(types)
const LIMITS = { values: 500, text: 1_000, bytes: 100_000 }

it.each([
  ['a member', { [URN]: { door: '1234' } }, { [URN]: { door: '***' } }],
  ['a flat key', { [`${URN}:DOOR`]: '1234' }, { [`${URN}:DOOR`]: '***' }],
  ['a path', { path: `${URN}:door`, value: '1234' }, { path: `${URN}:door`, value: '***' }],
  ['a sub-attribute with a dollar sign', { CODE$: '1234' }, { CODE$: '***' }],
  [
    'its path',
    { path: `${URN}:badge.code$`, value: 'x' },
    { path: `${URN}:badge.code$`, value: '***' },
  ],
  ['in place of the complex value', { [URN]: { badge: 'x' } }, { [URN]: { badge: '***' } }],
  ['in a list in its place', { badge: ['x', { a: 'b' }] }, { badge: ['***', { a: 'b' }] }],
  [
    'in place of the complex value of a path',
    { path: `${URN}:badge`, value: 'x' },
    { path: `${URN}:badge`, value: '***' },
  ],
  ['an assignment', { note: 'door: 1234' }, { note: '***' }],
  [
    'not a part of another name',
    { 'my-door': 'x', door$: 'x', $door: 'x', door_2: 'x', code: 'x', 'door-code': 'x' },
    { 'my-door': 'x', door$: 'x', $door: 'x', door_2: 'x', code: 'x', 'door-code': 'x' },
  ],
  ['not a longer name', { frontDoor: '1234', doors: 'x' }, { frontDoor: '1234', doors: 'x' }],
])("an extension's write-only attribute is masked in the tenant's log: %s", (_, body, shown) => {
  expect(mask(body, LIMITS, sensitivity).value).toEqual(shown)
  expect(mask(body, LIMITS, sensitivityOf(RESOURCE_TYPES)).value).toEqual(body)
})

it("a filter on an extension's write-only attribute is masked", () => {
  const query = `filter=${encodeURIComponent(`${URN}:door eq "1234"`)}`
  expect(maskQuery(query, sensitivity)).not.toContain('1234')
})

it('a filter comparing a complex attribute with a write-only sub-attribute is masked', () => {
  const filterOf = (text: string) =>
    decodeURIComponent(maskQuery(`filter=${encodeURIComponent(text)}`, sensitivity))
  expect(filterOf(`${URN}:badge eq "1234"`)).not.toContain('1234')
  expect(filterOf(`${URN}:badge.type eq "1234"`)).toContain('1234')
})
