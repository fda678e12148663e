import { isFailure, isSuccess, unwrap } from '@plumbline/result'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { PATCH_OP_SCHEMA } from '../constants.ts'
import type { Attribute, Definitions } from '../schema/types.ts'
import { applyPatch } from './apply.ts'
import { parsePatch } from './parse.ts'
import type { Operation, Tolerance } from './types.ts'

// Properties of any operations on any resource. Its schema has every mutability in every place.

const CORE = 'urn:example:2.0:Thing'
const EXTENSION = 'urn:example:extension:2.0:Thing'

const text = (name: string, rest: Partial<Attribute> = {}): Attribute => ({
  name,
  type: 'string',
  ...rest,
})
const readOnly = { mutability: 'readOnly' } as const
const immutable = { mutability: 'immutable' } as const
const parts: readonly Attribute[] = [
  text('value'),
  text('type'),
  { name: 'primary', type: 'boolean' },
  text('stamp', readOnly),
  text('serial', immutable),
]

const definitions: Definitions = {
  [CORE]: {
    id: CORE,
    name: 'Thing',
    attributes: [
      text('title', { required: true }),
      text('born', immutable),
      text('stamp', readOnly),
      { name: 'count', type: 'integer' },
      { name: 'name', type: 'complex', subAttributes: parts },
      text('tags', { multiValued: true }),
      text('codes', { multiValued: true, ...immutable }),
      { name: 'items', type: 'complex', multiValued: true, subAttributes: parts },
      { name: 'locks', type: 'complex', multiValued: true, subAttributes: parts, ...immutable },
      { name: 'logs', type: 'complex', multiValued: true, subAttributes: parts, ...readOnly },
    ],
  },
  [EXTENSION]: {
    id: EXTENSION,
    name: 'More',
    attributes: [
      text('size'),
      text('pin', readOnly),
      text('make', immutable),
      { name: 'owner', type: 'complex', subAttributes: parts },
    ],
  },
}

/** The values that must not change: read-only and immutable attributes at the top of a schema. */
const FIXED = ['id', 'stamp', 'born', 'codes', 'locks', 'logs', 'meta'] as const
const FIXED_IN_EXTENSION = ['pin', 'make'] as const

const word = fc.constantFrom('a', 'A', 'b', 'c')
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
const stored = fc
  .record({
    value: maybe(word),
    type: maybe(word),
    primary: maybe(fc.constant(false)),
    stamp: maybe(fc.constant('ours')),
    serial: maybe(word),
  })
  .map(assigned)
  .filter((one) => Object.keys(one).length > 0)
const storedList = maybe(
  fc.uniqueArray(stored, { minLength: 1, maxLength: 3, selector: (one) => JSON.stringify(one) }),
)
const storedTexts = maybe(fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }))
const resource = fc
  .record({
    title: word,
    born: maybe(word),
    stamp: maybe(fc.constant('ours')),
    count: maybe(fc.integer()),
    name: maybe(stored),
    tags: storedTexts,
    codes: storedTexts,
    items: storedList,
    locks: storedList,
    logs: storedList,
    [EXTENSION]: maybe(
      fc
        .record({ size: maybe(word), pin: maybe(word), make: maybe(word), owner: maybe(stored) })
        .map(assigned)
        .filter((one) => Object.keys(one).length > 0),
    ),
  })
  .map((members) => {
    const schemas = members[EXTENSION] === undefined ? [CORE] : [CORE, EXTENSION]
    return { schemas, id: '1', ...assigned(members), meta: { version: 'W/"1"' } }
  })

const name = fc.constantFrom('value', 'type', 'primary', 'stamp', 'serial', 'Value', 'nothing')
const filter = fc.constantFrom(
  '[value eq "a"]',
  '[type eq "b"]',
  '[value pr]',
  '[not (type pr)]',
  '[stamp eq "ours"]',
  '[serial eq "z" and type eq "z"]',
  '[primary eq true]',
)
const attribute = fc.constantFrom(
  ...Object.values(definitions).flatMap(({ attributes }) => attributes.map(({ name }) => name)),
  'id',
  'schemas',
  'meta',
  'nothing',
  CORE,
  EXTENSION,
  `${EXTENSION}:size`,
  `${EXTENSION}.pin`,
)
const path = fc
  .tuple(attribute, fc.option(filter, { nil: '' }), fc.option(name, { nil: '' }))
  .map(([base, brackets, part]) => `${base}${brackets}${part === '' ? '' : `.${part}`}`)

const sentText = fc.constantFrom('a', 'b', 'z', '', 'theirs')
const sent = fc
  .record({
    value: maybe(fc.oneof(sentText, fc.constant(null))),
    type: maybe(fc.oneof(sentText, fc.constant(null))),
    primary: maybe(fc.constantFrom(true, false, 'True')),
    stamp: maybe(fc.constantFrom('theirs', null)),
    serial: maybe(fc.oneof(sentText, fc.constant(null))),
  })
  .map(assigned)
const leaf = fc.oneof(
  sentText,
  sent,
  fc.array(fc.oneof(sent, sentText), { maxLength: 3 }),
  fc.constantFrom(null, [], {}, true, 0, 1.5, 'True'),
  { arbitrary: fc.jsonValue({ maxDepth: 3 }), weight: 1 },
)
const value = fc.oneof(
  { arbitrary: leaf, weight: 3 },
  { arbitrary: fc.dictionary(fc.oneof(attribute, path, name), leaf, { maxKeys: 3 }), weight: 1 },
)
const operation = fc
  .record({
    op: fc.constantFrom('add', 'replace', 'remove'),
    path: maybe(path),
    value: maybe(value),
  })
  .map(assigned)
/** Operations that parse. Invalid operations are the subject of parse.property.test.ts. */
const operations = fc.array(operation, { minLength: 1, maxLength: 4 }).map((Operations) =>
  Operations.flatMap((one): Operation[] => {
    const parsed = parsePatch({ schemas: [PATCH_OP_SCHEMA], Operations: [one] })
    return isSuccess(parsed) ? parsed.data : []
  }),
)
const tolerate = fc.subarray<Tolerance>([
  'replace-creates',
  'remove-missing',
  'unknown-attributes',
  'unknown-value-filters',
])
const numRuns = 2_000

it('applyPatch never throws, never changes its arguments, and fails with a scimType', () => {
  fc.assert(
    fc.property(resource, operations, tolerate, (given, all, tolerated) => {
      const before = JSON.stringify([given, all])
      const result = applyPatch(frozen(given), frozen(all), { definitions, tolerate: tolerated })
      expect(JSON.stringify([given, all])).toBe(before)
      if (isFailure(result)) {
        expect(result.error).toMatchObject({ name: 'ScimError', status: 400 })
        expect(result.error.scimType).not.toBeNull()
      }
    }),
    { numRuns },
  )
})

it('applyPatch returns a valid resource: no gaps, no empty values, one primary, known schemas', () => {
  fc.assert(
    fc.property(resource, operations, tolerate, (given, all, tolerated) => {
      const result = applyPatch(given, all, { definitions, tolerate: tolerated })
      if (isFailure(result)) return
      const { data } = result
      expect(JSON.parse(JSON.stringify(data))).toStrictEqual(data)
      expect(isWithoutEmptyValues(data)).toBe(true)
      for (const { name, multiValued } of definitions[CORE]?.attributes ?? []) {
        if (!multiValued || data[name] === undefined) continue
        const values = data[name] as { primary?: boolean }[]
        expect(values.filter(({ primary }) => primary === true).length).toBeLessThan(2)
      }
      const schemas = Object.hasOwn(data, EXTENSION) ? [CORE, EXTENSION] : [CORE]
      expect(data.schemas).toStrictEqual(schemas)
      expect(data.title).not.toBe('')
    }),
    { numRuns },
  )
})

/** Whether a value contains neither null nor an empty object or list. */
function isWithoutEmptyValues(value: unknown): boolean {
  if (typeof value !== 'object') return true
  const members = Object.values(value ?? {})
  return members.length > 0 && members.every(isWithoutEmptyValues)
}

it('applyPatch does not change read-only or immutable values (RFC 7643 §7)', () => {
  fc.assert(
    fc.property(resource, operations, tolerate, (given, all, tolerated) => {
      const result = applyPatch(given, all, { definitions, tolerate: tolerated })
      if (isFailure(result)) return
      const { data } = result
      const keep = (name: string, before: object, after: object) => {
        const was = Object.entries(before).find(([key]) => key === name)?.[1]
        const is = Object.entries(after).find(([key]) => key === name)?.[1]
        const isImmutable = ['born', 'codes', 'locks', 'make'].includes(name)
        if (was !== undefined || !isImmutable) expect(is, name).toStrictEqual(was)
      }
      for (const name of FIXED) keep(name, given, data)
      const [before, after] = [given, data].map((one) => Object(Object(one)[EXTENSION] ?? {}))
      for (const name of FIXED_IN_EXTENSION) keep(name, before, after)
      expect(JSON.stringify(data)).not.toContain('"stamp":"theirs"')
    }),
    { numRuns },
  )
})

it('applyPatch changes an immutable part only with the whole value, in one operation', () => {
  fc.assert(
    fc.property(resource, operations, (given, all) => {
      const result = applyPatch(given, all.slice(0, 1), { definitions })
      if (isFailure(result)) return
      for (const holder of [(one: object) => one, (one: object) => Object(one)[EXTENSION] ?? {}]) {
        for (const name of ['name', 'owner']) {
          const before = Object(holder(given))[name]
          const after = Object(holder(result.data))[name]
          if (before?.serial !== undefined && after !== undefined) {
            expect(after.serial).toBe(before.serial)
          }
          if (before?.stamp === undefined || after === undefined) continue
          // A new value that is sent without other parts drops the parts that describe the old one.
          const isNew = after.value !== undefined && after.value !== before.value
          expect(after.stamp ?? (isNew ? 'ours' : undefined)).toBe('ours')
        }
      }
    }),
    { numRuns },
  )
})

it('all operations together have the same result as one operation after the other', () => {
  fc.assert(
    fc.property(resource, operations, tolerate, (given, all, tolerated) => {
      const options = { definitions, tolerate: tolerated }
      let step: ReturnType<typeof applyPatch> = { status: 'success', data: given }
      for (const one of all) {
        if (isSuccess(step)) step = applyPatch(step.data, [one], options)
      }
      const whole = applyPatch(given, all, options)
      expect(whole.status).toBe(step.status)
      if (isSuccess(whole)) expect(whole.data).toStrictEqual(unwrap(step))
    }),
    { numRuns },
  )
})

it('a value as JSON text has the same result as the value', () => {
  const place = fc.constantFrom(
    undefined,
    'name',
    'items',
    'locks',
    'logs',
    'items[type eq "b"]',
    CORE,
    EXTENSION,
    `${EXTENSION}:owner`,
  )
  const structure = fc.oneof(
    sent,
    fc.array(sent, { maxLength: 3 }),
    fc.dictionary(fc.oneof(attribute, path, name), leaf, { maxKeys: 3 }),
  )
  const op = fc.constantFrom('add', 'replace', 'remove')
  fc.assert(
    fc.property(resource, op, place, structure, tolerate, (given, op, path, value, tolerated) => {
      const apply = (sent: unknown) => {
        const Operations = [assigned({ op, path, value: sent })]
        const parsed = parsePatch({ schemas: [PATCH_OP_SCHEMA], Operations })
        if (isFailure(parsed)) return parsed.error.message
        const result = applyPatch(given, parsed.data, { definitions, tolerate: tolerated })
        return isFailure(result) ? result.error.message : result.data
      }
      expect(apply(JSON.stringify(value))).toStrictEqual(apply(value))
    }),
    { numRuns },
  )
})

function assigned(members: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) frozen(part)
    Object.freeze(value)
  }
  return value
}
