import { createWork, isExaminedWhole } from '@plumbline/base'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Item } from '../report.ts'
import { createSlotCompiler } from './compile.ts'
import { coverSlot } from './slot.ts'

const COMPONENTS = ['A', 'B', 'C']
const NAMES = ['a', 'b', 'c']

/** Object schemas whose members are strings, components, or lists of components. */
const members = fc.dictionary(
  fc.constantFrom(...NAMES),
  fc.oneof(
    fc.constant({ type: 'string' }),
    fc.constantFrom(...COMPONENTS).map(refer),
    fc.constantFrom(...COMPONENTS).map((name) => ({ type: 'array', items: refer(name) })),
  ),
)
const branch = fc.record({
  properties: members,
  required: fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 1 }),
})
const union = fc
  .tuple(
    fc.constantFrom('anyOf', 'oneOf', 'allOf'),
    fc.array(branch, { minLength: 1, maxLength: 3 }),
  )
  .map(([keyword, branches]) => ({
    [keyword]: branches.map((one) => ({ type: 'object', ...one })),
  }))
const unions = fc.tuple(union, union).map((allOf) => ({ allOf }))
const component = fc.oneof(union, unions)
const components = fc.record({ A: component, B: component, C: component })

/** Values with these member names, nested up to 24 times. */
const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'max', maxDepth: 24 },
    fc.constantFrom('text', {}),
    fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { minKeys: 1, maxKeys: 2 }),
    fc.array(tie('value'), { maxLength: 2 }),
  ),
}))
/** A chain of one member: the deepest value for its size. */
const chains = fc.tuple(fc.constantFrom(...NAMES), fc.nat(24)).map(([name, depth]) => {
  let value: unknown = {}
  for (let at = 0; at < depth; at += 1) value = { [name]: value }
  return value
})

function refer(name: string) {
  return { $ref: `#/components/schemas/${name}` }
}

/** Covers a value without a limit. Returns the steps taken and the items. */
function cover(schemas: object, value: unknown, steps: number) {
  const compiler = createSlotCompiler({ ...schemas })
  const slot = compiler.add('200', refer('A'))
  const { items } = compiler.finish()
  const covered = new Set<Item>()
  const work = createWork(steps)
  const add = (item: Item) => covered.add(item)
  const isWhole = isExaminedWhole(() => coverSlot(slot, value, { add, work }))
  return { taken: steps - work.left, isWhole, covered, items }
}

function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((total: number, one) => total + sizeOf(one), 1)
}

it('steps grow in proportion to the value, in 1,000 recursive schemas', () => {
  fc.assert(
    fc.property(components, fc.oneof(values, chains), (schemas, value) => {
      const { taken } = cover(schemas, value, Number.MAX_SAFE_INTEGER)
      expect(taken).toBeLessThanOrEqual(sizeOf(value) * STEPS_EACH)
    }),
    { numRuns: 1_000 },
  )
})

it('covering stops at the step limit and reports it', () => {
  fc.assert(
    fc.property(components, values, fc.nat(200), (schemas, value, limit) => {
      const whole = cover(schemas, value, Number.MAX_SAFE_INTEGER)
      const cut = cover(schemas, value, limit)
      expect(cut.isWhole).toBe(whole.taken <= limit)
      expect(cut.taken).toBeLessThanOrEqual(limit + 1)
      const names = new Set([...whole.covered].map(({ name }) => name))
      for (const { name } of cut.covered) expect(names).toContain(name)
    }),
    { numRuns: 300 },
  )
})

/** Each value is examined at most once with each subschema: 3 components, 6 branches, 3 members, tested and covered. */
const STEPS_EACH = 400
