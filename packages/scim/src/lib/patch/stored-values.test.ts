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
    ],
  },
}

function patch(resource: object, operation: object) {
  const parsed = parsePatch({ schemas: [PATCH_OP_SCHEMA], Operations: [operation] })
  return applyPatch(resource, unwrap(parsed), { definitions })
}

describe('PATCH respects what is stored (RFC 7643 §2.2)', () => {
  it('keeps a read-only part of a value that is added again', () => {
    const badge = { schemas: [CORE], cards: [{ value: 'a', serial: 's1' }] }
    const add = { op: 'add', path: 'cards', value: [{ value: 'a', serial: 's2' }] }
    expect(unwrap(patch(badge, add))).toStrictEqual(badge)
  })

  it('does not replace a read-only part of a value that a filter selects', () => {
    const badge = { schemas: [CORE], cards: [{ value: 'a', serial: 's1' }] }
    const replace = { op: 'replace', path: 'cards[value eq "a"]', value: { serial: 's2' } }
    expect(patch(badge, replace)).toMatchObject({
      error: { scimType: 'mutability', message: expect.stringContaining('serial is read-only') },
    })
  })

  it('does not unassign an immutable complex attribute by an empty value', () => {
    const badge = { schemas: [CORE], owner: { value: 'u1' } }
    expect(patch(badge, { op: 'replace', path: 'owner', value: '' })).toMatchObject({
      error: { status: 400, scimType: 'mutability' },
    })
  })

  it('leaves a stored value alone that is not an object, next to those that it changes', () => {
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
  ])('sets an absent immutable attribute: %s', (path, value) => {
    const badge = { schemas: [CORE] }
    expect(unwrap(patch(badge, { op: 'replace', path, value }))).toStrictEqual({
      ...badge,
      [path]: value,
    })
  })

  it('does not remove a required list, but accepts that an absent one is removed', () => {
    const remove = { op: 'remove', path: 'labels' }
    expect(patch({ schemas: [CORE], labels: ['a'] }, remove)).toMatchObject({
      error: { scimType: 'mutability' },
    })
    expect(unwrap(patch({ schemas: [CORE] }, remove))).toStrictEqual({ schemas: [CORE] })
  })

  it('does not remove an extension with a read-only attribute', () => {
    const badge = { schemas: [CORE, EXTENSION], [EXTENSION]: { note: 'a', level: '1' } }
    expect(patch(badge, { op: 'remove', path: EXTENSION })).toMatchObject({
      error: { scimType: 'mutability', message: expect.stringContaining('level is read-only') },
    })
  })

  it('lists a new extension in stored schemas that are malformed', () => {
    const add = { op: 'add', path: `${EXTENSION}:code`, value: 'c' }
    expect(unwrap(patch({ schemas: [CORE, 5] }, add))).toStrictEqual({
      schemas: [CORE, 5, EXTENSION],
      [EXTENSION]: { code: 'c' },
    })
  })

  it('requires the attributes of a new extension, but not of a stored one that lacks them', () => {
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
})
