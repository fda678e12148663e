import { isFailure } from '@plumbline/result'
import { type Filter, parseFilter, stringifyFilter } from '@plumbline/scim/filter'

/** Replaces an attribute's value. */
export type ReplaceValue = (attribute: string, value: string) => string

/** Replaces a filter's values; an invalid filter is replaced with another invalid one. */
export function replaceFilter(text: string, replace: ReplaceValue): string {
  const parsed = parseFilter(text)
  return isFailure(parsed) ? INVALID : stringifyFilter(replaceIn(parsed.data, replace))
}

/** Replaces the values in the brackets of a PATCH path. */
export function replacePath(text: string, replace: ReplaceValue): string {
  if (PLAIN.test(text)) return text
  const [, attribute, filter, subAttribute] = VALUE_PATH.exec(text) ?? []
  if (filter === undefined) return INVALID
  return `${attribute}[${replaceFilter(filter, replace)}]${subAttribute}`
}

/** Whether a filter only tests values for equality. */
export function isByEquality(text: string): boolean {
  const parsed = parseFilter(text)
  return !isFailure(parsed) && everyComparison(parsed.data, ({ operator }) => operator === 'eq')
}

function replaceIn(expression: Filter.Expression, replace: ReplaceValue): Filter.Expression {
  switch (expression.type) {
    case 'compare': {
      const { path, value } = expression
      const name = path.subAttribute ?? path.attribute
      return typeof value === 'string' ? { ...expression, value: replace(name, value) } : expression
    }
    case 'present':
      return expression
    case 'logical': {
      const operands = expression.operands.map((operand) => replaceIn(operand, replace))
      return { ...expression, operands }
    }
    case 'not':
      return { ...expression, operand: replaceIn(expression.operand, replace) }
    case 'valuePath':
      return { ...expression, filter: replaceIn(expression.filter, replace) }
  }
}

function everyComparison(
  expression: Filter.Expression,
  test: (comparison: Filter.Compare) => boolean,
): boolean {
  switch (expression.type) {
    case 'compare':
      return test(expression)
    case 'present':
      return true
    case 'logical':
      return expression.operands.every((operand) => everyComparison(operand, test))
    case 'not':
      return everyComparison(expression.operand, test)
    case 'valuePath':
      return everyComparison(expression.filter, test)
  }
}

/** A name, a dotted name, or a URN followed by one. */
const PLAIN = /^[\w$:.-]+$/
// valuePath = attrPath "[" valFilter "]", and a sub-attribute in a PATCH path (RFC 7644 §3.5.2).
const VALUE_PATH = /^([\w$:.-]+)\[(.*)\]((?:\.[\w$-]+)?)$/s
const INVALID = '['
