import { expect, it } from 'vitest'
import { mask } from '../src/provisioning/mask.ts'
import { maskQuery } from '../src/provisioning/mask-text.ts'
import { sensitivityOf } from '../src/provisioning/sensitive.ts'
import { extendTypes } from '../src/resources/resource-types.ts'

const URN = 'urn:example:acme:1.0:User'
const attributes = [
  { name: 'pin', type: 'string', mutability: 'writeOnly' },
  {
    name: 'badge',
    type: 'complex',
    subAttributes: [{ name: 'code$', type: 'string', returned: 'never' }],
  },
] as const
const definition = { id: URN, name: 'Acme', attributes }
const types = extendTypes([{ resourceType: 'User', required: false, definition }])
const sensitivity = sensitivityOf(types)
const LIMITS = { values: 500, text: 1_000 }

it.each([
  ['a member', { [URN]: { pin: '1234' } }, { [URN]: { pin: '***' } }],
  ['a flat key', { [`${URN}:PIN`]: '1234' }, { [`${URN}:PIN`]: '***' }],
  ['a path', { path: `${URN}:pin`, value: '1234' }, { path: `${URN}:pin`, value: '***' }],
  ['a sub-attribute with a dollar sign', { CODE$: '1234' }, { CODE$: '***' }],
  [
    'its path',
    { path: `${URN}:badge.code$`, value: 'x' },
    { path: `${URN}:badge.code$`, value: '***' },
  ],
  ['an assignment', { note: 'pin: 1234' }, { note: '***' }],
  [
    'not a part of another name',
    { 'my-pin': 'x', pin$: 'x', $pin: 'x', pin_2: 'x', code: 'x', 'pin-code': 'x' },
    { 'my-pin': 'x', pin$: 'x', $pin: 'x', pin_2: 'x', code: 'x', 'pin-code': 'x' },
  ],
  ['not a longer name', { shoppingPin: '1234', pinned: 'x' }, { shoppingPin: '1234', pinned: 'x' }],
])(
  'a write-only attribute of an extension is masked in the log of its tenant: %s',
  (_, body, shown) => {
    expect(mask(body, LIMITS, sensitivity).value).toEqual(shown)
    expect(mask(body, LIMITS).value).toEqual(body)
  },
)

it('a filter by a write-only attribute of an extension is masked', () => {
  const query = `filter=${encodeURIComponent(`${URN}:pin eq "1234"`)}`
  expect(maskQuery(query, sensitivity)).not.toContain('1234')
})
