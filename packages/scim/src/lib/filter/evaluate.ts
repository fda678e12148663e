import { isAssigned, isJsonObject } from '../json.ts'
import type { AttributeNode } from '../schema/attribute-index.ts'
import { memberReader, otherCaseReader } from '../values/member.ts'
import type { WorkBudget } from '../work-budget.ts'

/** Tests a wire resource, or one value in a multi-valued attribute. */
export type Predicate = (resource: unknown) => boolean

/** Tests one value, or `undefined` if it is missing. */
export type Test = (value: unknown) => boolean

/** Where values are read, and what reading them costs. */
export interface Traversal {
  /** The complex attribute whose elements are tested; null for a resource. */
  readonly within: AttributeNode | null
  readonly budget: WorkBudget
  /** The number of comparisons for each value; 1 by default. */
  readonly steps?: number
}

/**
 * Builds a predicate that applies a test to an attribute. A multi-valued attribute passes if any value in any element
 * does (RFC 7644 §3.4.2.2). Otherwise the single value is tested, even if unassigned.
 *
 * @param whenEmpty The result for a multi-valued attribute without a value.
 */
export function testValues(
  node: AttributeNode,
  { within, budget, steps = 1 }: Traversal,
  test: Test,
  whenEmpty: boolean,
): Predicate {
  // `value` refers to the elements themselves if they are not complex.
  if (node === within) return test
  const overElements = (each: Test): Test => testElements(each, whenEmpty, budget, steps)
  const { name, parent } = node
  const own = node.multiValued ? overElements(test) : test
  if (parent !== null && parent !== within && !parent.multiValued) {
    return testContainer(parent, testSubMember(parent.name, name, own))
  }
  const inside = testMember(name, own)
  if (parent === null) return testContainer(node, inside)
  if (parent === within) return inside
  return testContainer(parent, testMember(parent.name, overElements(inside)))
}

/**
 * Returns whether a value is not empty, which is the `pr` test (RFC 7644 §3.4.2.2, Table 3).
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

/** Reads a member inside a member. Two nested `testMember` calls take twice the time, because V8 inlines only one. */
function testSubMember(outer: string, inner: string, test: Test): Test {
  if (outer in Object.prototype || inner in Object.prototype) {
    return testMember(outer, testMember(inner, test))
  }
  const readOuter = otherCaseReader(outer)
  const readInner = otherCaseReader(inner)
  return (value) => {
    if (!isJsonObject(value)) return test(undefined)
    const member = value[outer]
    const inside = member === undefined ? readOuter(value) : member
    if (!isJsonObject(inside)) return test(undefined)
    const part = inside[inner]
    return test(part === undefined ? readInner(inside) : part)
  }
}

function testMember(name: string, test: Test): Test {
  // A definition may use a name that every object inherits.
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
