import { unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { PATCH_OP_SCHEMA } from '../constants.ts'
import type { Attribute, Definitions } from '../schema/types.ts'
import { applyPatch } from './apply.ts'
import { parsePatch } from './parse.ts'

const CORE = 'urn:example:2.0:Badge'
const EXTENSION = 'urn:example:extension:2.0:Badge'
const string = (name: string, rest: Partial<Attribute> = {}): Attribute => ({
  name,
  type: 'string',
  ...rest,
})

const definitions: Definitions = {
  [CORE]: {
    id: CORE,
    name: 'Badge',
    attributes: [
      {
        name: 'cards',
        type: 'complex',
        multiValued: true,
        subAttributes: [string('value'), string('serial', { mutability: 'readOnly' })],
      },
      string('marks', { multiValued: true, mutability: 'immutable' }),
      string('valueOf', { mutability: 'immutable' }),
      string('labels', { multiValued: true, required: true }),
      {
        name: 'scan',
        type: 'complex',
        subAttributes: [string('place'), string('at', { mutability: 'readOnly' })],
      },
      { name: 'print', type: 'complex', subAttributes: [string('marks', { multiValued: true })] },
      { name: 'trace', type: 'complex', mutability: 'readOnly', subAttributes: [string('by')] },
      {
        name: 'lender',
        type: 'complex',
        subAttributes: [string('value', { required: true }), string('note')],
      },
      {
        name: 'host',
        type: 'complex',
        subAttributes: [
          string('value'),
          string('serial', { mutability: 'immutable' }),
          string('note'),
        ],
      },
      {
        name: 'owner',
        type: 'complex',
        mutability: 'immutable',
        subAttributes: [string('value')],
      },
    ],
  },
  [EXTENSION]: {
    id: EXTENSION,
    name: 'More',
    attributes: [
      string('code', { required: true }),
      string('note'),
      string('level', { mutability: 'readOnly' }),
      string('tags', { multiValued: true }),
    ],
  },
}

function patch(resource: object, ...Operations: object[]) {
  const parsed = parsePatch({ schemas: [PATCH_OP_SCHEMA], Operations })
  return applyPatch(resource, unwrap(parsed), { definitions })
}

describe('stored values in a PATCH (RFC 7643 §2.2)', () => {
  it('a value added again keeps its read-only part', () => {
    const badge = { schemas: [CORE], cards: [{ value: 'a', serial: 's1' }] }
    const add = { op: 'add', path: 'cards', value: [{ value: 'a', serial: 's2' }] }
    expect(unwrap(patch(badge, add))).toStrictEqual(badge)
  })

  it("a selected value's read-only part is not replaced", () => {
    const badge = { schemas: [CORE], cards: [{ value: 'a', serial: 's1' }] }
    const replace = { op: 'replace', path: 'cards[value eq "a"]', value: { serial: 's2' } }
    expect(patch(badge, replace)).toMatchObject({
      error: { scimType: 'mutability', message: expect.stringContaining('serial is read-only') },
    })
  })

  it('an empty value does not unassign an immutable complex attribute', () => {
    const badge = { schemas: [CORE], owner: { value: 'u1' } }
    expect(patch(badge, { op: 'replace', path: 'owner', value: '' })).toMatchObject({
      error: { status: 400, scimType: 'mutability' },
    })
  })

  it('a stored value that is not an object stays, next to changed values', () => {
    const badge = { schemas: [CORE], cards: ['x', { value: 'a' }] }
    const replace = { op: 'replace', path: 'cards.value', value: 'b' }
    expect(unwrap(patch(badge, replace))).toStrictEqual({
      schemas: [CORE],
      cards: ['x', { value: 'b' }],
    })
  })

  it.each([
    ['marks', ['a']],
    ['valueOf', 'a'],
  ])('an absent immutable attribute is set: %s', (path, value) => {
    const badge = { schemas: [CORE] }
    expect(unwrap(patch(badge, { op: 'replace', path, value }))).toStrictEqual({
      ...badge,
      [path]: value,
    })
  })

  it('a required list cannot be removed, except when it is absent', () => {
    const remove = { op: 'remove', path: 'labels' }
    expect(patch({ schemas: [CORE], labels: ['a'] }, remove)).toMatchObject({
      error: { scimType: 'mutability' },
    })
    expect(unwrap(patch({ schemas: [CORE] }, remove))).toStrictEqual({ schemas: [CORE] })
  })

  it('an extension with a read-only attribute cannot be removed', () => {
    const badge = { schemas: [CORE, EXTENSION], [EXTENSION]: { note: 'a', level: '1' } }
    expect(patch(badge, { op: 'remove', path: EXTENSION })).toMatchObject({
      error: { scimType: 'mutability', message: expect.stringContaining('level is read-only') },
    })
  })

  it('a new extension is listed in malformed stored schemas', () => {
    const add = { op: 'add', path: `${EXTENSION}:code`, value: 'c' }
    expect(unwrap(patch({ schemas: [CORE, 5] }, add))).toStrictEqual({
      schemas: [CORE, 5, EXTENSION],
      [EXTENSION]: { code: 'c' },
    })
  })

  it('a new extension needs the required attributes, but a stored one may lack them', () => {
    const replace = { op: 'replace', path: `${EXTENSION}:note`, value: 'b' }
    expect(patch({ schemas: [CORE] }, replace)).toMatchObject({
      error: { scimType: 'invalidValue', message: expect.stringContaining('code is required') },
    })
    const stored = { schemas: [CORE, EXTENSION], [EXTENSION]: { note: 'a' } }
    expect(unwrap(patch(stored, replace))).toStrictEqual({
      ...stored,
      [EXTENSION]: { note: 'b' },
    })
  })

  it('a value without its read-only part is replaced', () => {
    const badge = { schemas: [CORE], cards: [{ value: 'a', serial: 's1' }] }
    const replace = { op: 'replace', path: 'cards', value: [{ value: 'a' }] }
    expect(unwrap(patch(badge, replace))).toStrictEqual({
      schemas: [CORE],
      cards: [{ value: 'a' }],
    })
  })

  it('a read-only part is accepted only with the stored value, even in a new list', () => {
    const badge = { schemas: [CORE], cards: [{ value: 'a', serial: 's1' }] }
    const replace = (serial: string) =>
      patch(badge, { op: 'replace', path: 'cards', value: [{ value: 'a', serial }] })
    expect(unwrap(replace('s1'))).toBe(badge)
    expect(replace('s2')).toMatchObject({ error: { scimType: 'mutability' } })
  })

  it('a read-only part in an absent value is not set', () => {
    const badge = { schemas: [CORE] }
    expect(patch(badge, { op: 'replace', path: 'scan.at', value: 'x' })).toMatchObject({
      error: { scimType: 'mutability', message: 'Operations[0]: scan.at is read-only' },
    })
    expect(unwrap(patch(badge, { op: 'replace', path: 'scan.at', value: null }))).toBe(badge)
  })

  it.each<[what: string, operation: object, cards: unknown[]]>([
    ['kept when a part is removed', { op: 'remove', path: 'cards.value' }, ['x']],
    [
      'replaced when a value is added to it',
      { op: 'add', path: 'cards[not (value eq "a")]', value: { value: 'b' } },
      [{ value: 'b' }, { value: 'a' }],
    ],
  ])('a stored value that is not an object is %s', (_, operation, cards) => {
    const badge = { schemas: [CORE], cards: ['x', { value: 'a' }] }
    expect(unwrap(patch(badge, operation))).toStrictEqual({ schemas: [CORE], cards })
  })

  it('a stored string is replaced if the definition has a list', () => {
    const badge = { schemas: [CORE], print: { marks: 'x' } }
    const replace = { op: 'replace', path: 'print.marks', value: ['y'] }
    expect(unwrap(patch(badge, replace))).toStrictEqual({
      schemas: [CORE],
      print: { marks: ['y'] },
    })
  })

  it('a stored value replaced as a whole loses the unknown members', () => {
    const badge = { schemas: [CORE], cards: [{ value: 'a', color: 'red' }, { value: 'b' }] }
    const replace = { op: 'replace', path: 'cards[value eq "a"]', value: { value: 'c' } }
    expect(unwrap(patch(badge, replace))).toStrictEqual({
      schemas: [CORE],
      cards: [{ value: 'c' }, { value: 'b' }],
    })
  })

  it('an extension without required and read-only attributes is removed', () => {
    const badge = { schemas: [CORE, EXTENSION], [EXTENSION]: { note: 'a' } }
    const remove = { op: 'remove', path: EXTENSION }
    expect(unwrap(patch(badge, remove))).toStrictEqual({ schemas: [CORE] })
  })

  it('an extension is removed with the values earlier operations added', () => {
    const badge = { schemas: [CORE, EXTENSION], [EXTENSION]: { tags: ['a'] } }
    const add = { op: 'add', path: `${EXTENSION}:tags`, value: ['b'] }
    const remove = { op: 'remove', path: EXTENSION }
    expect(unwrap(patch(badge, add, remove))).toStrictEqual({ schemas: [CORE] })
  })

  it('removing an absent extension changes nothing, even if schemas lists it', () => {
    const badge = { schemas: [CORE, EXTENSION] }
    expect(unwrap(patch(badge, { op: 'remove', path: EXTENSION }))).toBe(badge)
  })

  it('removing the core schema keeps the core attributes, including just added ones', () => {
    const add = { op: 'add', path: 'cards', value: [{ value: 'b' }] }
    const patched = patch({ cards: [{ value: 'a' }] }, add, { op: 'remove', path: CORE })
    expect(unwrap(patched)).toStrictEqual({ cards: [{ value: 'a' }, { value: 'b' }] })
  })

  it('a resource without schemas gets them with an extension (RFC 7643 §3.1)', () => {
    const add = { op: 'add', path: `${EXTENSION}:code`, value: 'c' }
    expect(unwrap(patch({}, add))).toStrictEqual({
      schemas: [CORE, EXTENSION],
      [EXTENSION]: { code: 'c' },
    })
  })

  it('an extension is shared with the resource if only other attributes change', () => {
    const badge = { schemas: [CORE, EXTENSION], [EXTENSION]: { code: 'c', other: 'x' } }
    const patched = unwrap(patch(badge, { op: 'replace', path: 'print.marks', value: ['a'] }))
    expect(patched[EXTENSION]).toBe(badge[EXTENSION])
  })

  it('a read-only part cannot be removed, even if it is absent (RFC 7644 §3.5.2.2)', () => {
    expect(patch({ schemas: [CORE] }, { op: 'remove', path: 'scan.at' })).toMatchObject({
      error: { scimType: 'mutability', message: 'Operations[0]: scan.at is read-only' },
    })
  })

  it('an absent read-only complex attribute is not set', () => {
    const replace = { op: 'replace', path: 'trace', value: { by: 'x' } }
    expect(patch({ schemas: [CORE] }, replace)).toMatchObject({ error: { scimType: 'mutability' } })
  })

  it('removing a null part changes nothing (RFC 7643 §2.5)', () => {
    const badge = { schemas: [CORE], scan: { place: null, at: 'x' } }
    expect(unwrap(patch(badge, { op: 'remove', path: 'scan.place' }))).toBe(badge)
  })

  it.each<[path: string, stored: object, patched: object]>([
    ['labels', { labels: 'x' }, { labels: ['x', 'y'] }],
    ['print.marks', { print: { marks: 'x' } }, { print: { marks: ['x', 'y'] } }],
  ])(
    'values are added to a stored string if the definition has a list: %s',
    (path, stored, patched) => {
      expect(unwrap(patch(stored, { op: 'add', path, value: ['y'] }))).toStrictEqual(patched)
    },
  )

  it.each([
    { op: 'remove', path: 'owner.value' },
    { op: 'replace', path: 'owner.value', value: 'u2' },
    { op: 'add', path: 'owner', value: { value: 'u2' } },
  ])("an immutable complex attribute's part does not change: $op $path", (operation) => {
    expect(patch({ schemas: [CORE], owner: { value: 'u1' } }, operation)).toMatchObject({
      error: { scimType: 'mutability', message: expect.stringContaining('owner') },
    })
  })

  it('a part is not required if the stored complex value lacks it', () => {
    const badge = { schemas: [CORE], lender: { note: 'a' } }
    const replace = { op: 'replace', path: 'lender.note', value: 'b' }
    expect(unwrap(patch(badge, replace))).toStrictEqual({ schemas: [CORE], lender: { note: 'b' } })
  })

  it('setting a complex attribute by id keeps only the immutable parts', () => {
    const host = { value: 'a', serial: 's', note: 'n', other: 'o' }
    const replace = { op: 'replace', path: 'host', value: 'b' }
    expect(unwrap(patch({ schemas: [CORE], host }, replace))).toStrictEqual({
      schemas: [CORE],
      host: { value: 'b', serial: 's' },
    })
  })
})
