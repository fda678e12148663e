import { isAssigned, isJsonObject } from '../json.ts'
import type { AttributeNode } from '../schema/attribute-index.ts'
import { memberReader, otherCaseReader } from '../values/member.ts'
import type { WorkBudget } from '../work-budget.ts'

/** Tests a wire resource, or one value of a multi-valued attribute. */
export type Predicate = (resource: unknown) => boolean

/** Tests one value, or `undefined` if it is missing. */
export type Test = (value: unknown) => boolean

/** Where values are read, and what reading them costs. */
export interface Traversal {
  /** The complex attribute whose elements the predicate tests; null for a resource. */
  readonly within: AttributeNode | null
  readonly budget: WorkBudget
  /** How many comparisons the test makes for each value; 1 by default. */
  readonly steps?: number
}

/**
 * Returns a predicate that holds if the attribute passes the test: any value of any element, if it is
 * multi-valued (RFC 7644 §3.4.2.2), otherwise its single value, assigned or not.
 *
 * @param whenEmpty The result for a multi-valued attribute without a value.
 */
export function testValues(
  node: AttributeNode,
  { within, budget, steps = 1 }: Traversal,
  test: Test,
  whenEmpty: boolean,
): Predicate {
  // `value` names the elements themselves if they are not complex.
  if (node === within) return test
  const overElements = (each: Test): Test => testElements(each, whenEmpty, budget, steps)
  const inside = testMember(node.name, node.multiValued ? overElements(test) : test)
  const { parent } = node
  if (parent === null) return testContainer(node, inside)
  if (parent === within) return inside
  const outside = parent.multiValued ? overElements(inside) : inside
  return testContainer(parent, testMember(parent.name, outside))
}

/**
 * Whether a value is not empty: the test of `pr` (RFC 7644 §3.4.2.2, Table 3).
 *
 * @param spend Spends a step for each part that may be read.
 * @param levels How deep to read: attributes have parts, and parts have values. A stored value may be deeper.
 */
export function isPresent(
  value: unknown,
  spend: WorkBudget['spend'] = () => {},
  levels = 3,
): boolean {
  if (value === '' || !isAssigned(value)) return false
  if (typeof value !== 'object' || levels === 0) return true
  const parts = Object.values(Object(value))
  spend(parts.length)
  return parts.some((part) => isPresent(part, spend, levels - 1))
}

function testElements(test: Test, whenEmpty: boolean, { spend }: WorkBudget, steps: number): Test {
  return (value) => {
    if (!Array.isArray(value)) return isAssigned(value) ? test(value) : whenEmpty
    spend(value.length * steps)
    for (const element of value) if (test(element)) return true
    return value.length === 0 && whenEmpty
  }
}

function testContainer({ schema: { container } }: AttributeNode, test: Test): Test {
  return container === null ? test : testMember(container, test)
}

function testMember(name: string, test: Test): Test {
  // A definition may use the name of a member that every object inherits.
  if (name in Object.prototype) {
    const read = memberReader(name)
    return (value) => test(isJsonObject(value) ? read(value) : undefined)
  }
  const readInOtherCase = otherCaseReader(name)
  return (value) => {
    if (!isJsonObject(value)) return test(undefined)
    const member = value[name]
    return test(member === undefined ? readInOtherCase(value) : member)
  }
}
