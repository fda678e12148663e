import type { Filter } from '@plumbline/scim/filter'
import { condition, FOR_EACH_ROW, joinConditions, negate, type SqlCondition } from '../condition.ts'
import { conjunctsOf } from '../list/filters.ts'
import type { IndexedAttribute, IndexedPart } from './indexed-attributes.ts'
import { type HasHashes, type PartTest, testOfComparison, testOfPresence } from './part-test.ts'

/** A condition that selects the elements or resources that match, or more. */
export interface Narrowing {
  /** Null if it selects all. */
  readonly condition: SqlCondition | null
  readonly isExact: boolean
}

/** A condition on the rows `v` of one attribute. */
export interface RowCondition extends Narrowing {
  readonly condition: SqlCondition
  /**
   * Conditions that an index serves. Each of them selects the rows that match, or rows of their elements. If
   * `condition` consists of only one of them, both are the same object.
   */
  readonly indexed: readonly SqlCondition[]
  /** The path and the key of the rows, if the condition is only that; else null. */
  readonly equal: { readonly path: string; readonly key: string } | null
}

/** The attribute whose rows are selected, and their table. */
export interface ElementScope {
  readonly table: string
  readonly attribute: IndexedAttribute
  readonly hasHashes: HasHashes
}

/** The condition that some row of an element has if and only if the element matches a filter in brackets. */
export function rowCondition(filter: Filter.Expression, scope: ElementScope): RowCondition {
  const conjuncts = conjunctsOf(filter)
  const tests = conjuncts.map((conjunct) => ownTest(conjunct, scope))
  const first = tests.findIndex((test) => test?.isIndexed === true)
  const chosen = first === -1 ? tests.findIndex((test) => test !== null) : first
  const test = tests[chosen] ?? null
  const rest = conjuncts
    .filter((_, at) => at !== chosen)
    .map((conjunct) => elementCondition(conjunct, scope, false))
  const row = test === null ? anyRow(scope) : rowOf('v', test)
  const others = rest.flatMap((one) => one.condition ?? [])
  return {
    equal: rest.length === 0 ? (test?.equal ?? null) : null,
    condition: joinConditions('and', [row, ...others]),
    isExact: test?.isExact !== false && rest.every(({ isExact }) => isExact),
    indexed: tests.flatMap((one) => {
      if (one?.isIndexed !== true) return []
      return one === test ? row : rowOf('v', one)
    }),
  }
}

/** The condition on rows with one of several keys, so that one selection from the table serves a long `or`. */
export function anyOfKeys(path: string, keys: readonly string[]): RowCondition {
  const places = keys.map(() => '?').join(', ')
  const made = condition(`v.attribute = ? and v.value_key in (${places})`, path, ...keys)
  return { condition: made, isExact: true, indexed: [made], equal: null }
}

/** The condition on any row of an attribute. Each element has a row. */
export function anyRow({
  attribute: { start, end },
}: Pick<ElementScope, 'attribute'>): SqlCondition {
  return condition('v.attribute >= ? and v.attribute < ?', start, end)
}

/** The test of a comparison with a part that has rows of its own; null for any other expression. */
function ownTest(expression: Filter.Expression, scope: ElementScope): PartTest | null {
  if (expression.type !== 'compare' && expression.type !== 'present') return null
  const part = findPart(expression.path, scope)
  return part === null || part.column !== null ? null : testOf(expression, part, scope)
}

function testOf(
  expression: Filter.Compare | Filter.Present,
  part: IndexedPart,
  { hasHashes }: ElementScope,
): PartTest | null {
  return expression.type === 'present'
    ? testOfPresence(part)
    : testOfComparison(part, expression, hasHashes)
}

/** The part that a path in brackets names. */
function findPart(
  { schema, attribute, subAttribute }: Filter.AttributePath,
  scope: ElementScope,
): IndexedPart | null {
  if (schema !== null || subAttribute !== null) return null
  return scope.attribute.parts.get(attribute.toLowerCase()) ?? null
}

/** The condition on a row `v` that its element matches an expression, or does not. */
function elementCondition(
  expression: Filter.Expression,
  scope: ElementScope,
  negated: boolean,
): Narrowing {
  switch (expression.type) {
    case 'not':
      return elementCondition(expression.operand, scope, !negated)
    case 'logical': {
      const parts = expression.operands.map((one) => elementCondition(one, scope, negated))
      // De Morgan: the negation of a disjunction is the conjunction of the negations.
      return joinNarrowings((expression.operator === 'and') !== negated ? 'and' : 'or', parts)
    }
    case 'valuePath':
      return UNKNOWN
    default:
      return partCondition(expression, scope, negated)
  }
}

/** Joins the conditions of several expressions. */
export function joinNarrowings(operator: 'and' | 'or', parts: readonly Narrowing[]): Narrowing {
  const known = parts.flatMap(({ condition }) => condition ?? [])
  const narrows = operator === 'and' ? known.length > 0 : known.length === parts.length
  return {
    condition: narrows ? joinConditions(operator, known) : null,
    isExact: parts.every(({ isExact }) => isExact),
  }
}

function partCondition(
  expression: Filter.Compare | Filter.Present,
  scope: ElementScope,
  negated: boolean,
): Narrowing {
  const part = findPart(expression.path, scope)
  if (part === null) return UNKNOWN
  if (expression.type === 'compare' && expression.operator === 'ne') {
    // A part has one value, so that `ne` is the negation of `eq`.
    return partCondition({ ...expression, operator: 'eq' }, scope, !negated)
  }
  const test = testOf(expression, part, scope)
  if (test === null || (negated && !test.isExact)) return UNKNOWN
  const made = part.column === null ? sameElement(test, scope) : columnTest(part.column, test)
  return { condition: negated ? negate(made) : made, isExact: test.isExact }
}

/** The condition that another row of the element of the row `v` passes a test. */
function sameElement(test: PartTest, { table }: ElementScope): SqlCondition {
  const { text, values } = rowOf('w', test)
  return condition(
    `exists (select 1 from ${table} w where w.tenant_id = v.tenant_id ` +
      `and w.resource_id = v.resource_id and w.position = v.position and ${text}${FOR_EACH_ROW})`,
    ...values,
  )
}

/** The test of a column that each row of an element has. It is never null, so that it can be negated. */
function columnTest(column: 'type_key' | 'is_primary', { key }: PartTest): SqlCondition {
  if (column === 'type_key') {
    const { text, values } = key('v.type_key')
    return condition(`(v.type_key is not null and ${text})`, ...values)
  }
  const asText = `case when v.is_primary then 'true' else 'false' end`
  const { text, values } = key(`(${asText})`)
  return condition(`(v.is_primary is not null and ${text})`, ...values)
}

/** The condition that a row has one of the paths of a test and passes it. */
function rowOf(alias: 'v' | 'w', { paths, key }: PartTest): SqlCondition {
  const { text, values } = key(`${alias}.value_key`)
  const ofPath = paths.length === 1 ? `${alias}.attribute = ?` : `${alias}.attribute in (?, ?)`
  return condition(`${ofPath} and ${text}`, ...paths, ...values)
}

/** Selects all. */
export const UNKNOWN: Narrowing = { condition: null, isExact: false }
