import { expect, it } from 'vitest'
import {
  computeContentTag,
  isConditional,
  tagOfRepresentation,
} from '../../src/lib/endpoint/core/etags.ts'
import { prepareType } from '../../src/lib/endpoint/options/resource-type.ts'
import type { ResourceStore } from '../../src/lib/endpoint/options/store.ts'
import { version } from '../../src/lib/resource/version.ts'
import { USER_DEFINITIONS } from './serve.ts'

const URN = 'urn:x:Badge'
const common = { type: 'string', multiValued: false, required: false } as const
const definitions = {
  ...USER_DEFINITIONS,
  [URN]: {
    id: URN,
    name: 'Badge',
    attributes: [
      { ...common, name: 'color' },
      { ...common, name: 'door', mutability: 'readOnly' },
      { ...common, name: 'floor', mutability: 'readOnly' },
      { ...common, name: 'secret', mutability: 'readOnly', returned: 'never' },
    ],
  },
} as const
const store = {} as ResourceStore
const type = prepareType({ name: 'User', endpoint: '/Users', definitions, store }, [])

it.each([
  [null, null, false],
  ['W/"1"', null, true],
  [null, '*', true],
])('a request with the conditions %j and %j: %j (RFC 7644 §3.14)', (ifMatch, ifNoneMatch, is) => {
  expect(isConditional({ ifMatch, ifNoneMatch })).toBe(is)
})

it('read-only attributes in every schema are computed, unless they are never returned', () => {
  expect(type.computed.map(({ name }) => name)).toEqual(['groups', 'door', 'floor'])
})

it('the content tag ignores computed attributes', async () => {
  const content = { id: '1', userName: 'a', [URN]: { color: 'red' } }
  const resource = { ...content, groups: [{ value: 'g' }], [URN]: { color: 'red', door: '1' } }
  expect(await computeContentTag(resource, type)).toBe(await version(content))
  expect(resource[URN]).toEqual({ color: 'red', door: '1' })
  const plain = { id: '1', userName: 'a', door: '1', [URN]: 'none' }
  expect(await computeContentTag(plain, type)).toBe(await version(plain))
})

it("a representation's tag depends on the computed attributes it shows", async () => {
  const tagOf = (resource: object, shown: object = resource) =>
    tagOfRepresentation('W/"1"', { ...resource }, { ...shown }, type)
  const user = { id: '1', door: 'x', [URN]: { color: 'red' } }
  expect(await tagOf(user)).toBe('W/"1"')
  const withDoor = { ...user, [URN]: { color: 'red', door: '1' } }
  const first = await tagOf(withDoor)
  expect(first).toMatch(/^W\/"1-[0-9a-f]{16}"$/)
  expect(await tagOf({ ...withDoor, [URN]: { color: 'blue', door: '1' } })).toBe(first)
  expect(await tagOf({ ...withDoor, [URN]: { color: 'red', door: '2' } })).not.toBe(first)
  const withFloor = (door: string) => ({ ...user, [URN]: { door, floor: '3' } })
  expect(await tagOf(withFloor('1'))).not.toBe(await tagOf(withFloor('2')))
  expect(await tagOf(withDoor, user)).toBe('W/"1"')
  expect(await tagOf({ ...withDoor, groups: [{ value: 'g' }] })).not.toBe(first)
})
