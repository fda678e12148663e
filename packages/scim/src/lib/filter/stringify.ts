import { stringifyPath } from '../path/stringify-path.ts'
import type { Expression, Logical, Path } from './tree.ts'

/**
 * Writes a filter with the fewest parentheses. The string parses back to the same tree.
 *
 * @example
 * ```ts
 * import { parseFilter, stringifyFilter } from '@plumbline/scim/filter'
 * import { unwrap } from '@plumbline/result'
 *
 * stringifyFilter(unwrap(parseFilter('((A PR) AND (b eq "x"))'))) //=> 'A pr and b eq "x"'
 * ```
 * @see RFC 7644 §3.4.2.2
 */
export function stringifyFilter(expression: Expression): string {
  switch (expression.type) {
    case 'compare': {
      const { path, operator, value } = expression
      return `${stringifyPath(path)} ${operator} ${JSON.stringify(value)}`
    }
    case 'present':
      return `${stringifyPath(expression.path)} pr`
    case 'logical':
      return stringifyLogical(expression)
    case 'not':
      return `not (${stringifyFilter(expression.operand)})`
    case 'valuePath':
      return `${stringifyPath(expression.path)}[${stringifyFilter(expression.filter)}]`
  }
}

/** Writes a PATCH operation's path. The string parses back to the same path (RFC 7644 §3.5.2). */
export function stringifyPatchPath({ attribute, filter }: Path): string {
  if (filter === null) return stringifyPath(attribute)
  const { subAttribute } = attribute
  const whole = stringifyPath({ ...attribute, subAttribute: null })
  return `${whole}[${stringifyFilter(filter)}]${subAttribute === null ? '' : `.${subAttribute}`}`
}

/** Writes a clause for a message, truncated if it is long. */
export function excerptOf(expression: Expression): string {
  const text = stringifyFilter(expression)
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}

/** Only a disjunction inside a conjunction needs parentheses: `and` binds closer than `or`. */
function stringifyLogical({ operator, operands }: Logical): string {
  return operands
    .map((operand) =>
      operator === 'and' && operand.type === 'logical'
        ? `(${stringifyFilter(operand)})`
        : stringifyFilter(operand),
    )
    .join(` ${operator} `)
}
