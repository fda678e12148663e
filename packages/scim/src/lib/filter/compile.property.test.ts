import { isSuccess } from '@plumbline/result'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Attribute, AttributeType, Definitions } from '../schema/types.ts'
import { compileFilter } from './compile.ts'
import { OPERATORS_OF_TYPE } from './operators.cases.ts'
import type { Compare, Expression } from './tree.ts'

// Property: a filter matches a resource if and only if a simple, slow implementation of RFC 7644 §3.4.2.2 does,
// and an attribute accepts exactly the operators of its advertised type.

type Values = Record<string, unknown>

const CORE = 'urn:example:2.0:Thing'
const EXTENSION = 'urn:example:extension:2.0:Thing'

const texts = ['', 'a', 'A', 'ab', 'É', 'é', 'b%', '😀', '\uffff']
const instants = [
  '2026-01-01T00:00:00Z',
  '2026-01-01T02:00:00+02:00',
  '2026-01-01T00:00:00.5Z',
  '2025-12-31T23:59:59.999999Z',
]
const valuesOf: Record<AttributeType, readonly (string | number | boolean)[]> = {
  string: texts,
  reference: texts,
  binary: ['QUJD', 'qujd'],
  boolean: [true, false],
  integer: [-1, 0, 1, 2],
  decimal: [-1.5, 0, 1.5],
  dateTime: instants,
  complex: [],
}

const simple = fc.constantFrom<AttributeType>(
  'string',
  'reference',
  'binary',
  'boolean',
  'integer',
  'decimal',
  'dateTime',
)
const leaf = fc.record({ type: simple, multiValued: fc.boolean(), caseExact: fc.boolean() })
const part = fc.record({ type: simple, caseExact: fc.boolean() })

/** Attributes `a0`, `a1`, …. Complex attributes have the parts `p0`, `p1`, …. */
const attributes = fc
  .array(
    fc.oneof(
      leaf,
      fc.record({
        type: fc.constant('complex' as const),
        multiValued: fc.boolean(),
        subAttributes: fc
          .array(part, { minLength: 1, maxLength: 3 })
          .map((parts) => parts.map((one, at) => ({ ...one, name: `p${at}` }))),
      }),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((list): Attribute[] => list.map((one, at) => ({ ...one, name: `a${at}` })))

function valuesAt(attribute: Attribute): fc.Arbitrary<unknown> {
  const one: fc.Arbitrary<unknown> =
    attribute.type === 'complex'
      ? fc.record(
          Object.fromEntries(
            (attribute.subAttributes ?? []).map((sub) => [sub.name, valuesAt(sub)]),
          ),
          { requiredKeys: [] },
        )
      : fc.constantFrom(...valuesOf[attribute.type])
  const nothing = fc.constantFrom(undefined, null)
  return fc.oneof(nothing, attribute.multiValued ? fc.array(one, { maxLength: 3 }) : one)
}

const anyValue = fc.constantFrom(...texts, ...instants, -1, 1.5, true, false, null)

function filterOf(attribute: Attribute, prefix: string): fc.Arbitrary<Expression> {
  const names = [
    attribute.name,
    ...(attribute.subAttributes ?? []).map(({ name }) => `${attribute.name}.${name}`),
  ]
  const path = fc.constantFrom(...names).map((name) => pathOf(prefix, name))
  const operator = fc.constantFrom(...OPERATORS_OF_TYPE.string)
  const leaves: fc.Arbitrary<Expression>[] = [
    fc.record({ type: fc.constant('compare' as const), path, operator, value: anyValue }),
    fc.record({ type: fc.constant('present' as const), path }),
  ]
  const [first] = attribute.subAttributes ?? []
  if (first) {
    const inner = fc.record({
      type: fc.constant('compare' as const),
      path: fc.constant(pathOf('', first.name)),
      operator,
      value: anyValue,
    })
    leaves.push(
      fc.record({
        type: fc.constant('valuePath' as const),
        path: fc.constant(pathOf(prefix, attribute.name)),
        filter: fc.oneof(
          inner,
          inner.map((operand) => ({ type: 'not' as const, operand })),
        ),
      }),
    )
  }
  const single = fc.oneof(...leaves)
  return fc.oneof(
    single,
    single.map((operand) => ({ type: 'not' as const, operand })),
    fc.record({
      type: fc.constant('logical' as const),
      operator: fc.constantFrom('and', 'or'),
      operands: fc.array(single, { minLength: 2, maxLength: 3 }),
    }),
  )
}

function pathOf(prefix: string, name: string) {
  const [attribute = '', subAttribute = null] = name.split('.')
  return { schema: prefix === '' ? null : prefix, attribute, subAttribute }
}

const cases = fc
  .record({ core: attributes, extension: attributes, extended: fc.boolean() })
  .chain(({ core, extension, extended }) => {
    const own = extended ? extension : core
    const definitions: Definitions = {
      [CORE]: { id: CORE, name: 'Thing', attributes: core },
      [EXTENSION]: { id: EXTENSION, name: 'Extension', attributes: extension },
    }
    const values = fc.record(Object.fromEntries(own.map((one) => [one.name, valuesAt(one)])))
    const filter = fc.constantFrom(...own).chain((one) => filterOf(one, extended ? EXTENSION : ''))
    return fc.record({
      definitions: fc.constant(definitions),
      own: fc.constant(own),
      values,
      resource: fc.constant(extended),
      filter,
    })
  })

it('a filter matches a resource if and only if a simple RFC 7644 §3.4.2.2 implementation does', () => {
  let decided = 0
  fc.assert(
    fc.property(cases, ({ definitions, own, values, resource: extended, filter }) => {
      const resource = extended ? { [EXTENSION]: values } : values
      const compiled = compileFilter(filter, { definitions })
      expect(isSuccess(compiled)).toBe(sound(own, filter))
      if (!isSuccess(compiled)) return
      decided += 1
      expect(compiled.data(resource)).toBe(holds(own, values, filter))
    }),
    { numRuns: 1_000 },
  )
  expect(decided).toBeGreaterThan(300)
})

/** Whether the types allow every comparison. */
function sound(own: readonly Attribute[], filter: Expression): boolean {
  switch (filter.type) {
    case 'present':
      return true
    case 'not':
      return sound(own, filter.operand)
    case 'logical':
      return filter.operands.every((operand) => sound(own, operand))
    case 'valuePath': {
      const outer = own.find(({ name }) => name === filter.path.attribute)
      return sound(outer?.subAttributes ?? [], filter.filter)
    }
    case 'compare': {
      const { operator, value } = filter
      if (value === null) return operator === 'eq' || operator === 'ne'
      const { type } = named(own, filter)
      if (!OPERATORS_OF_TYPE[type].includes(operator)) return false
      if (type === 'dateTime') return instants.includes(String(value))
      return typeof value === typeof valuesOf[type][0]
    }
  }
}

function named(own: readonly Attribute[], { path }: Pick<Compare, 'path'>): Attribute {
  const outer = own.find(({ name }) => name === path.attribute)
  const inner = outer?.subAttributes?.find(({ name }) => name === path.subAttribute)
  const found = path.subAttribute === null ? outer : inner
  if (!found) throw new Error(`no attribute ${path.attribute}`)
  return found
}

function holds(own: readonly Attribute[], values: Values, filter: Expression): boolean {
  switch (filter.type) {
    case 'not':
      return !holds(own, values, filter.operand)
    case 'logical': {
      const results = filter.operands.map((operand) => holds(own, values, operand))
      return filter.operator === 'and' ? !results.includes(false) : results.includes(true)
    }
    case 'valuePath': {
      const outer = own.find(({ name }) => name === filter.path.attribute)
      const inner = outer?.subAttributes ?? []
      return listOf(values[filter.path.attribute]).some((element) =>
        holds(inner, element as Values, filter.filter),
      )
    }
    case 'present':
      return candidates(own, values, filter).some(nonEmpty)
    case 'compare': {
      const attribute = named(own, filter)
      const all = candidates(own, values, filter)
      if (filter.value === null) {
        const assigned = all.some((one) => listOf(one).length > 0)
        return filter.operator === 'eq' ? !assigned : assigned
      }
      if (filter.operator === 'ne' && all.length === 0) return true
      return all.some((one) => decide(attribute, one, filter))
    }
  }
}

/** The values at a path: those of the elements if the attribute is multi-valued, otherwise the single value. */
function candidates(
  own: readonly Attribute[],
  values: Values,
  { path }: Pick<Compare, 'path'>,
): unknown[] {
  const outer = own.find(({ name }) => name === path.attribute)
  const value = values[path.attribute]
  const elements = outer?.multiValued ? listOf(value) : [value]
  const { subAttribute } = path
  if (subAttribute === null) return elements
  return elements.map((element) => (element as Values | null | undefined)?.[subAttribute])
}

function listOf(value: unknown): unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}

function nonEmpty(value: unknown): boolean {
  if (typeof value !== 'object') return value !== undefined && value !== ''
  return value !== null && Object.values(value).some(nonEmpty)
}

function decide(attribute: Attribute, value: unknown, { operator, value: wanted }: Compare) {
  if (operator === 'ne') return !equal(attribute, value, wanted)
  if (operator === 'eq') return equal(attribute, value, wanted)
  if (value === undefined || value === null) return false
  if (operator === 'co') return folded(attribute, value).includes(folded(attribute, wanted))
  if (operator === 'sw') return folded(attribute, value).startsWith(folded(attribute, wanted))
  if (operator === 'ew') return folded(attribute, value).endsWith(folded(attribute, wanted))
  const order = compare(attribute, value, wanted)
  if (operator === 'gt') return order > 0
  if (operator === 'ge') return order >= 0
  return operator === 'lt' ? order < 0 : order <= 0
}

function equal(attribute: Attribute, value: unknown, wanted: unknown): boolean {
  if (value === undefined || value === null) return false
  return compare(attribute, value, wanted) === 0
}

function folded({ caseExact, type }: Attribute, value: unknown): string {
  // RFC 7643 §2.3.6: binary is case exact, whatever its definition.
  return caseExact || type === 'binary' ? String(value) : String(value).toLowerCase()
}

function compare(attribute: Attribute, value: unknown, wanted: unknown): number {
  if (attribute.type === 'dateTime')
    return microseconds(String(value)) - microseconds(String(wanted))
  if (typeof value !== 'string') return Number(value) - Number(wanted)
  const left = [...folded(attribute, value)]
  const right = [...folded(attribute, wanted)]
  for (const [at, character] of left.entries()) {
    const other = right[at]
    if (other === undefined) return 1
    const order = (character.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0)
    if (order !== 0) return order
  }
  return left.length - right.length
}

function microseconds(text: string): number {
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? ''
  const whole = Date.parse(text.replace(/\.\d+/, ''))
  return whole * 1000 + Number(fraction.padEnd(6, '0'))
}
