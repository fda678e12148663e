import { isAssigned } from '../json.ts'
import type { AttributeNode } from '../schema/attribute-index.ts'
import type { AttributeType } from '../schema/types.ts'
import { compareText } from '../values/code-point-order.ts'
import { fold } from '../values/fold.ts'
import { compareInstants, parseInstant } from '../values/instant.ts'
import { isLong, stepsOfSearch, stepsOfText, type WorkBudget } from '../work-budget.ts'
import type { Test } from './evaluate.ts'
import { EXPECTATIONS, Rejection } from './rejection.ts'
import type { Operator, Value } from './tree.ts'

/** The operators that compare by order. */
type Ordering = 'gt' | 'ge' | 'lt' | 'le'

/** The tests that a type supports for one wanted value. `ne` is the negation of `eq`. */
type Tests = Partial<Record<Operator, Test | undefined>>

/**
 * Compiles the test of one value of `node`, or says why the type does not support it. All work that depends only
 * on the filter happens here.
 */
export function compileOperator(
  node: AttributeNode,
  operator: Operator,
  wanted: Value,
  budget: WorkBudget,
): Test | Rejection {
  if (wanted === null) {
    if (operator === 'ne') return isAssigned
    return new Rejection(`'${operator}' cannot compare with null`)
  }
  const tests = compilers[node.type](wanted, node, budget)
  if (tests === null)
    return new Rejection(`${EXPECTATIONS[node.type]}, not ${JSON.stringify(wanted)}`)
  const { eq } = tests
  if (operator === 'ne' && eq) return (value) => !eq(value)
  return (
    tests[operator] ?? new Rejection(`'${operator}' cannot compare values of type ${node.type}`)
  )
}

/** Null if the wanted value does not have the type. */
const compilers: Readonly<
  Record<AttributeType, (wanted: Value, node: AttributeNode, budget: WorkBudget) => Tests | null>
> = {
  string: compileText,
  reference: compileText,
  // RFC 7643 §2.3.6: binary is a base64 string. It is case exact and cannot be ordered.
  binary: (wanted, node, budget) => {
    const tests = compileText(wanted, node, budget)
    return tests && { eq: tests.eq, co: tests.co, sw: tests.sw, ew: tests.ew }
  },
  boolean: (wanted) => (typeof wanted === 'boolean' ? { eq: (actual) => actual === wanted } : null),
  integer: compileNumber,
  decimal: compileNumber,
  dateTime: compileInstant,
  complex: () => ({}),
}

function compileText(
  wanted: Value,
  { caseExact }: AttributeNode,
  { spend }: WorkBudget,
): Tests | null {
  if (typeof wanted !== 'string') return null
  const prepare = caseExact ? (text: string): string => text : fold
  const prepared = prepare(wanted)
  const onText =
    (test: (text: string) => boolean, steps: typeof stepsOfSearch = stepsOfText): Test =>
    (actual) => {
      if (typeof actual !== 'string') return false
      if (isLong(actual)) spend(steps(actual, prepared))
      return test(prepare(actual))
    }
  return {
    eq: caseExact ? (actual) => actual === wanted : onText((text) => text === prepared),
    co: onText((text) => text.includes(prepared), stepsOfSearch),
    sw: onText((text) => text.startsWith(prepared)),
    ew: onText((text) => text.endsWith(prepared)),
    gt: onText((text) => compareText(text, prepared) > 0),
    ge: onText((text) => compareText(text, prepared) >= 0),
    lt: onText((text) => compareText(text, prepared) < 0),
    le: onText((text) => compareText(text, prepared) <= 0),
  }
}

function compileNumber(wanted: Value): Tests | null {
  if (typeof wanted !== 'number') return null
  return {
    eq: (actual) => actual === wanted,
    ...compileOrder((actual) =>
      typeof actual === 'number' ? compareNumbers(actual, wanted) : NaN,
    ),
  }
}

function compileInstant(wanted: Value): Tests | null {
  const instant = typeof wanted === 'string' ? parseInstant(wanted) : null
  if (instant === null) return null
  const order = (actual: unknown): number => {
    const other = typeof actual === 'string' ? parseInstant(actual) : null
    return other === null ? Number.NaN : compareInstants(other, instant)
  }
  return { eq: (actual) => order(actual) === 0, ...compileOrder(order) }
}

/** `order` returns NaN for a value that cannot be ordered: every comparison with NaN is false. */
function compileOrder(order: (actual: unknown) => number): Record<Ordering, Test> {
  return {
    gt: (actual) => order(actual) > 0,
    ge: (actual) => order(actual) >= 0,
    lt: (actual) => order(actual) < 0,
    le: (actual) => order(actual) <= 0,
  }
}

function compareNumbers(a: number, b: number): number {
  return a < b ? -1 : Number(a > b)
}
