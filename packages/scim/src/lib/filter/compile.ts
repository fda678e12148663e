import { isFailure, type Result } from '@plumbline/result'
import { badRequest, resultOf, type ScimError } from '../error.ts'
import { isAssigned } from '../json.ts'
import type { AttributePath } from '../path/attribute-path.ts'
import { stringifyPath } from '../path/stringify-path.ts'
import {
  type AttributeIndex,
  type AttributeNode,
  attributeIndex,
  resolveAttribute,
  resolveInBrackets,
  significantPart,
} from '../schema/attribute-index.ts'
import { definitionsFor, listsFirst } from '../schema/definitions-for.ts'
import type { Definitions } from '../schema/types.ts'
import { createRenewableBudget, type WorkBudget } from '../work-budget.ts'
import { countComparisons, MAX_COMPARISONS } from './count.ts'
import { isPresent, type Predicate, type Test, testValues } from './evaluate.ts'
import { findAttributes } from './find-attributes.ts'
import { compileOperator } from './operators.ts'
import { invalidClause, requireAccepted } from './rejection.ts'
import { coerceTextBooleans } from './text-booleans.ts'
import type { Compare, Expression, Present, ValuePath } from './tree.ts'

/** Options for `compileFilter` (RFC 7644 §3.4.2.2). */
export interface CompileOptions {
  /** The resources' schemas. The core schema comes first. */
  readonly definitions: Definitions
  /**
   * The only attributes the filter may use, such as `userName` or `emails.value`, in any letter case. A complex
   * attribute's name also allows its sub-attributes. By default, all are allowed.
   */
  readonly allow?: readonly string[] | undefined
  /**
   * The work all resources together may cost, such as the request's budget. Defaults to a separate budget for each
   * resource, 1,000,000 steps.
   */
  readonly budget?: WorkBudget | undefined
}

/**
 * Compiles a filter into a predicate over wire resources.
 *
 * The filter is checked here. It fails with `400 invalidFilter` for an unknown attribute, an attribute outside `allow`,
 * a value with the wrong type, or an operator the type does not support. The predicate throws only if the budget is
 * spent: a ScimError, `400 tooMany`. Each comparison costs one step, plus one for each value in a multi-valued
 * attribute. Long strings cost more.
 *
 * The predicate reads members in any letter case. If the definitions contain several core schemas, each resource is
 * tested with the core schema named in `schemas`. If the filter does not fit that schema, the resource does not match.
 *
 * @example
 * ```ts
 * import { USER_DEFINITION } from '@plumbline/scim/discovery'
 * import { compileFilter, parseFilter } from '@plumbline/scim/filter'
 * import { unwrap } from '@plumbline/result'
 *
 * const definitions = { [USER_DEFINITION.id]: USER_DEFINITION }
 * const filter = unwrap(parseFilter('emails.value ew "@EXAMPLE.com"'))
 * const matches = unwrap(compileFilter(filter, { definitions }))
 * matches({ emails: [{ value: 'b@example.com' }] }) //=> true
 * ```
 * @see RFC 7644 §3.4.2.2
 */
export function compileFilter(
  expression: Expression,
  options: CompileOptions,
): Result<(resource: object) => boolean, ScimError> {
  return resultOf(() => compileResourceFilter(expression, options))
}

/** Compiles a filter as `compileFilter` does. Throws a ScimError if it is not valid. */
export function compileResourceFilter(
  expression: Expression,
  { definitions, allow, budget }: CompileOptions,
): (resource: object) => boolean {
  const own = createRenewableBudget()
  const predicate = compileBySchema(definitions, (each) =>
    compileWithinBudget(
      expression,
      createResourceScope(attributeIndex(each), allow, budget ?? own),
    ),
  )
  if (budget !== undefined) return predicate
  return (resource) => {
    own.renew()
    return predicate(resource)
  }
}

/** Tests each resource by its own type's definitions. They are compiled on first use. */
function compileBySchema(
  definitions: Definitions,
  compileFor: (definitions: Definitions) => Predicate,
): Predicate {
  const first = compileFor(definitions)
  const { core, schemas } = attributeIndex(definitions)
  if (schemas.size === 1) return first
  const predicates = new Map([[definitions, first]])
  return (resource) => {
    if (listsFirst(core, Object(resource))) return first(resource)
    const own = definitionsFor(definitions, Object(resource))
    const known = predicates.get(own)
    if (known) return known(resource)
    const result = resultOf(() => compileFor(own))
    const test = isFailure(result) ? () => false : result.data
    predicates.set(own, test)
    return test(resource)
  }
}

function createResourceScope(
  index: AttributeIndex,
  allow: readonly string[] | undefined,
  budget: WorkBudget,
): Scope {
  return {
    resolve: (path) => resolveAttribute(index, path),
    within: null,
    allowed: allow === undefined ? null : findAttributes(allow, index),
    budget,
  }
}

/**
 * Compiles a value path's filter into a predicate over the elements of `node`. PATCH uses it: paths are sub-attributes,
 * and the strings "true" and "false" are coerced where the type is boolean. Throws a ScimError if the filter is not
 * valid. The predicate throws `400 tooMany` if the budget is spent.
 */
export function compileElementFilter(
  filter: Expression,
  node: AttributeNode,
  budget: WorkBudget,
): Predicate {
  if (countComparisons(filter) > MAX_COMPARISONS) {
    throw badRequest('invalidFilter', `a filter may have at most ${MAX_COMPARISONS} comparisons`)
  }
  const scope = createElementScope(node)
  const expression = coerceTextBooleans(filter, scope.resolve)
  return compileWithinBudget(expression, { ...scope, allowed: null, budget })
}

/** Spends a value's steps before it is compared. */
function compileWithinBudget(expression: Expression, scope: Scope): Predicate {
  const predicate = compile(expression, scope)
  const steps = countComparisons(expression)
  const { spend } = scope.budget
  return (value) => {
    spend(steps)
    return predicate(value)
  }
}

/** Resolves an expression's paths, and limits the allowed ones. */
interface Scope {
  readonly resolve: (path: AttributePath) => AttributeNode | null
  /** The attribute whose elements are tested; null for whole resources. */
  readonly within: AttributeNode | null
  readonly allowed: ReadonlySet<AttributeNode> | null
  readonly budget: WorkBudget
}

function compile(expression: Expression, scope: Scope): Predicate {
  switch (expression.type) {
    case 'compare':
      return compileCompare(expression, scope)
    case 'present':
      return compilePresent(expression, scope)
    case 'logical': {
      const operands = expression.operands.map((operand) => compile(operand, scope))
      return expression.operator === 'and' ? compileAnd(operands) : compileOr(operands)
    }
    case 'not': {
      const operand = compile(expression.operand, scope)
      return (resource) => !operand(resource)
    }
    case 'valuePath':
      return compileValuePath(expression, scope)
  }
}

function compileCompare(expression: Compare, scope: Scope): Predicate {
  const { path, operator, value } = expression
  const named = resolve(expression, path, scope)
  // RFC 7643 §2.4: `value` is the significant part. Only null is compared with the complex value itself.
  const node = value === null ? named : significantPart(named)
  requireAllowed(expression, node, scope)
  if (value === null && operator === 'eq') {
    const assigned = testValues(node, scope, isAssigned, false)
    return (resource) => !assigned(resource)
  }
  const compiled = compileOperator(node, operator, value, scope.budget)
  const test = requireAccepted(compiled, expression)
  return testValues(node, scope, test, operator === 'ne' && value !== null)
}

function compilePresent(expression: Present, scope: Scope): Predicate {
  const node = resolve(expression, expression.path, scope)
  requireAllowed(expression, node, scope)
  const { spend } = scope.budget
  return testValues(node, scope, (value) => isPresent(value, spend), false)
}

function compileValuePath(expression: ValuePath, scope: Scope): Predicate {
  const node = resolve(expression, expression.path, scope)
  if (scope.within !== null)
    throw invalidClause(expression, 'a value path cannot contain another value path')
  if (!node.multiValued && node.type !== 'complex') {
    throw invalidClause(expression, `${node.name} is neither multi-valued nor complex`)
  }
  const { resolve: inner, within } = createElementScope(node)
  const allowed = scope.allowed?.has(node) ? null : scope.allowed
  const filter = compile(expression.filter, { ...scope, resolve: inner, within, allowed })
  const steps = countComparisons(expression.filter)
  const test: Test = (element) => isAssigned(element) && filter(element)
  return testValues(node, { within: null, budget: scope.budget, steps }, test, false)
}

function resolve(expression: Expression, path: AttributePath, scope: Scope): AttributeNode {
  const node = scope.resolve(path)
  if (node === null) throw invalidClause(expression, `unknown attribute ${stringifyPath(path)}`)
  return node
}

function createElementScope(node: AttributeNode): Pick<Scope, 'resolve' | 'within'> {
  return { within: node, resolve: (path) => resolveInBrackets(node, path) }
}

function requireAllowed(expression: Expression, node: AttributeNode, { allowed }: Scope): void {
  if (allowed === null || allowed.has(node) || (node.parent && allowed.has(node.parent))) return
  throw invalidClause(expression, 'filtering by this attribute is not supported')
}

function compileAnd(operands: readonly Predicate[]): Predicate {
  const [first, second] = operands
  if (operands.length === 2 && first && second) {
    return (resource) => first(resource) && second(resource)
  }
  return (resource) => {
    for (const operand of operands) if (!operand(resource)) return false
    return true
  }
}

function compileOr(operands: readonly Predicate[]): Predicate {
  const [first, second] = operands
  if (operands.length === 2 && first && second) {
    return (resource) => first(resource) || second(resource)
  }
  return (resource) => {
    for (const operand of operands) if (operand(resource)) return true
    return false
  }
}
