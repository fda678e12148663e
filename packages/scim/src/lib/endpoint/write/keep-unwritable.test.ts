import { describe, expect, it } from 'vitest'
import { attributeIndex } from '../../schema/attribute-index.ts'
import { USER_DEFINITION } from '../../schema/core-schemas.ts'
import { keepUnwritable } from './keep-unwritable.ts'

const CORE = 'urn:example:2.0:Device'
const EXTENSION = 'urn:example:2.0:Radio'
const index = attributeIndex({
  [CORE]: {
    id: CORE,
    name: 'Device',
    attributes: [
      { name: 'serial', type: 'string', mutability: 'immutable' },
      { name: 'pin', type: 'string', mutability: 'writeOnly' },
      { name: 'label', type: 'string' },
      {
        name: 'maker',
        type: 'complex',
        subAttributes: [
          { name: 'country', type: 'string', mutability: 'immutable', caseExact: true },
          { name: 'name', type: 'string' },
        ],
      },
    ],
  },
  [EXTENSION]: {
    id: EXTENSION,
    name: 'Radio',
    attributes: [{ name: 'mac', type: 'string', mutability: 'immutable' }],
  },
})

describe('a PUT (RFC 7644 §3.5.1)', () => {
  it.each<[string, object, object, object]>([
    ['clears what it omits', { label: 'a' }, {}, {}],
    ['keeps an immutable attribute', { serial: 'X' }, { label: 'b' }, { label: 'b', serial: 'X' }],
    [
      'sets an immutable attribute without a value',
      { serial: null },
      { serial: 'X' },
      { serial: 'X' },
    ],
    [
      'accepts an immutable value in another letter case',
      { serial: 'X' },
      { serial: 'x' },
      { serial: 'x' },
    ],
    ['keeps a write-only attribute, which the client cannot read', { pin: '1' }, {}, { pin: '1' }],
    ['replaces a write-only attribute', { pin: '1' }, { pin: '2' }, { pin: '2' }],
    [
      'keeps an immutable part in a complex attribute',
      { maker: { country: 'DE', name: 'a' } },
      { maker: { name: 'b' } },
      { maker: { name: 'b', country: 'DE' } },
    ],
    [
      'keeps an omitted immutable attribute in an extension',
      { [EXTENSION]: { mac: 'aa' } },
      {},
      { schemas: [CORE, EXTENSION], [EXTENSION]: { mac: 'aa' } },
    ],
  ])('a PUT %s', (_, current, sent, kept) => {
    expect(keepUnwritable({ ...current }, { ...sent }, { index })).toEqual(kept)
  })

  it.each<[string, object, object]>([
    ['serial', { serial: 'X' }, { serial: 'Y' }],
    ['maker.country', { maker: { country: 'DE' } }, { maker: { country: 'de' } }],
    [`${EXTENSION}:mac`, { [EXTENSION]: { mac: 'aa' } }, { [EXTENSION]: { mac: 'bb' } }],
  ])('a PUT rejects another value for %s', (place, current, sent) => {
    const message = `${place} has a value and cannot be changed`
    expect(() => keepUnwritable({ ...current }, { ...sent }, { index })).toThrow(message)
  })

  it("a PUT keeps a user's active, but not an attribute with this name in another schema", () => {
    const users = { index: attributeIndex({ [USER_DEFINITION.id]: USER_DEFINITION }) }
    const sent = { userName: 'a' }
    for (const active of [true, false]) {
      expect(keepUnwritable({ ...sent, active }, sent, users)).toEqual({ ...sent, active })
      const opposite = { ...sent, active: !active }
      expect(keepUnwritable({ ...sent, active }, opposite, users)).toEqual(opposite)
    }
    expect(keepUnwritable(sent, sent, users)).toEqual(sent)
    const attributes = [{ name: 'active', type: 'boolean' as const }]
    const devices = { index: attributeIndex({ [CORE]: { id: CORE, name: 'Device', attributes } }) }
    expect(keepUnwritable({ active: false }, {}, devices)).toEqual({})
  })
})
