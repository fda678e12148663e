import { isAssigned } from '../json.ts'
import type { AttributeNode } from '../schema/attribute-index.ts'
import type { AttributeType } from '../schema/types.ts'
import { asciiTests } from '../values/ascii-tests.ts'
import { compareText } from '../values/code-point-order.ts'
import { EXACT_RANGE } from '../values/coerce.ts'
import { fold } from '../values/fold.ts'
import { compareInstants, parseInstant } from '../values/instant.ts'
import { isLong, stepsOfSearch, stepsOfText, type WorkBudget } from '../work-budget.ts'
import type { Test } from './evaluate.ts'
import { EXPECTATIONS, Rejection } from './rejection.ts'
import type { Operator, Value } from './tree.ts'

/** The attribute properties that comparisons use. */
export type ComparedAttribute = Pick<AttributeNode, 'type' | 'caseExact'>

/** Operators with their own test. `ne` negates `eq`. */
type Comparison = Exclude<Operator, 'ne'>

/** Compiles an operator's test; undefined if the type does not support it. */
type OperatorCompiler = (operator: Comparison) => Test | undefined

/**
 * Compiles a test for one value of `node`, or says why the type does not support it. All work depending only on the
 * filter happens here.
 */
export function compileOperator(
  node: ComparedAttribute,
  operator: Operator,
  wanted: Value,
  budget: WorkBudget,
): Test | Rejection {
  if (wanted === null) {
    if (operator === 'ne') return isAssigned
    return new Rejection(`'${operator}' cannot compare with null`)
  }
  // A larger number is already rounded, so it would also match neighboring numbers.
  const isRounded = typeof wanted === 'number' && Math.abs(wanted) > Number.MAX_SAFE_INTEGER
  if (node.type === 'integer' && isRounded) {
    return new Rejection(`an integer must be within ${EXACT_RANGE}`)
  }
  const compileFor = compilers[node.type](wanted, node, budget)
  if (compileFor === null)
    return new Rejection(`${EXPECTATIONS[node.type]}, not ${JSON.stringify(wanted)}`)
  const test = compileFor(operator === 'ne' ? 'eq' : operator)
  if (test === undefined)
    return new Rejection(`'${operator}' cannot compare values of type ${node.type}`)
  return operator === 'ne' ? (value) => !test(value) : test
}

/** Returns null if the wanted value does not have the type. */
const compilers: Readonly<
  Record<
    AttributeType,
    (wanted: Value, node: ComparedAttribute, budget: WorkBudget) => OperatorCompiler | null
  >
> = {
  string: compileText,
  reference: compileText,
  // RFC 7643 §2.3.6: binary is a base64 string. It is case exact and cannot be ordered.
  binary: (wanted, node, budget) => {
    const compileFor = compileText(wanted, node, budget)
    return (
      compileFor && ((operator) => (ORDERINGS.has(operator) ? undefined : compileFor(operator)))
    )
  },
  boolean: (wanted) =>
    typeof wanted === 'boolean'
      ? (operator) => (operator === 'eq' ? (actual) => actual === wanted : undefined)
      : null,
  integer: compileNumber,
  decimal: compileNumber,
  dateTime: compileInstant,
  complex: () => () => undefined,
}

function compileText(
  wanted: Value,
  { caseExact }: ComparedAttribute,
  { spend }: WorkBudget,
): OperatorCompiler | null {
  if (typeof wanted !== 'string') return null
  const prepared = caseExact ? wanted : fold(wanted)
  const ascii: Partial<Record<Comparison, (text: string) => boolean>> | null = caseExact
    ? null
    : asciiTests(prepared)
  return (operator) => {
    if (operator === 'eq' && caseExact) return (actual) => actual === wanted
    const exact = textTests[operator](prepared)
    const test = ascii?.[operator] ?? (caseExact ? exact : (text: string) => exact(fold(text)))
    const steps = operator === 'co' ? stepsOfSearch : stepsOfText
    return (actual) => {
      if (typeof actual !== 'string') return false
      if (isLong(actual)) spend(steps(actual, prepared))
      return test(actual)
    }
  }
}

const textTests: Readonly<Record<Comparison, (wanted: string) => (actual: string) => boolean>> = {
  eq: (wanted) => (actual) => actual === wanted,
  co: (wanted) => (actual) => actual.includes(wanted),
  sw: (wanted) => (actual) => actual.startsWith(wanted),
  ew: (wanted) => (actual) => actual.endsWith(wanted),
  gt: (wanted) => (actual) => compareText(actual, wanted) > 0,
  ge: (wanted) => (actual) => compareText(actual, wanted) >= 0,
  lt: (wanted) => (actual) => compareText(actual, wanted) < 0,
  le: (wanted) => (actual) => compareText(actual, wanted) <= 0,
}

function compileNumber(wanted: Value): OperatorCompiler | null {
  if (typeof wanted !== 'number') return null
  return compileOrder((actual) =>
    typeof actual === 'number' ? compareNumbers(actual, wanted) : Number.NaN,
  )
}

function compileInstant(wanted: Value): OperatorCompiler | null {
  const instant = typeof wanted === 'string' ? parseInstant(wanted) : null
  if (instant === null) return null
  return compileOrder((actual) => {
    const other = typeof actual === 'string' ? parseInstant(actual) : null
    return other === null ? Number.NaN : compareInstants(other, instant)
  })
}

/** Compiles tests from `order`. It returns NaN for a value it cannot order: every comparison with NaN is false. */
function compileOrder(order: (actual: unknown) => number): OperatorCompiler {
  return (operator) => {
    const test = orderTests[operator]
    return test && ((actual) => test(order(actual)))
  }
}

const orderTests: Readonly<Partial<Record<Comparison, (order: number) => boolean>>> = {
  eq: (order) => order === 0,
  gt: (order) => order > 0,
  ge: (order) => order >= 0,
  lt: (order) => order < 0,
  le: (order) => order <= 0,
}

function compareNumbers(a: number, b: number): number {
  return a < b ? -1 : Number(a > b)
}

const ORDERINGS: ReadonlySet<Comparison> = new Set(['gt', 'ge', 'lt', 'le'])
