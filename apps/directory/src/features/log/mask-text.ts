import { isFailure } from '@plumbline/result'
import { type Filter, parseFilter, stringifyFilter } from '@plumbline/scim/filter'
import { MASK, maskTokens } from '../../kernel/mask-tokens.ts'
import type { Sensitivity } from './sensitive.ts'

/** Masks the values compared with sensitive attributes in a filter; hides the whole filter if it cannot be parsed. */
export function maskFilter(text: string, sensitivity: Sensitivity): string {
  const { isComplete } = sensitivity
  if (isComplete && !sensitivity.isSensitive(text) && !sensitivity.isComplex(text)) return text
  const parsed = parseFilter(text)
  if (isFailure(parsed)) return MASK
  return stringifyFilter(maskExpression(parsed.data, !isComplete, sensitivity))
}

/** Masks the values in the brackets of a PATCH path. */
export function maskPath(text: string, sensitivity: Sensitivity): string {
  if (!sensitivity.isSensitive(text)) return text
  const open = text.search(/[^\p{L}\p{N}_:.$/-]/u)
  if (open === -1) return maskTokens(text)
  const close = text.lastIndexOf(']')
  return `${maskTokens(text.slice(0, open))}[${MASK}]${close > open ? maskPath(text.slice(close + 1), sensitivity) : ''}`
}

/** Masks sensitive values in a URL's query. Only SCIM's own parameters are known not to be secrets. */
export function maskQuery(query: string, sensitivity: Sensitivity): string {
  const { isComplete } = sensitivity
  const isSensitive = (text: string) => sensitivity.isSensitive(text) || sensitivity.isComplex(text)
  if (isComplete && !isSensitive(decoded(query))) return query
  const parts = query.split('&').map((part) => {
    const equals = part.indexOf('=')
    if (equals === -1) return isSensitive(decoded(part)) ? MASK : part
    const name = decoded(part.slice(0, equals))
    const value = decoded(part.slice(equals + 1))
    const isNamed = NAMES.has(name) && isPlain(value)
    const isShown = isNamed || (!isSensitive(name) && !isSensitive(value))
    if (isShown && (isComplete || isPlain(value))) return part
    return `${part.slice(0, equals)}=${name === 'filter' ? encodeURIComponent(maskFilter(value, sensitivity)) : MASK}`
  })
  return parts.join('&')
}

function maskExpression(
  expression: Filter.Expression,
  isInside: boolean,
  sensitivity: Sensitivity,
): Filter.Expression {
  switch (expression.type) {
    case 'compare':
      return isInside || isSensitiveComparison(expression, sensitivity)
        ? { ...expression, operator: 'eq', value: MASK }
        : expression
    case 'present':
      return expression
    case 'logical': {
      const operands = expression.operands.map((operand) =>
        maskExpression(operand, isInside, sensitivity),
      )
      return { ...expression, operands }
    }
    case 'not':
      return { ...expression, operand: maskExpression(expression.operand, isInside, sensitivity) }
    case 'valuePath': {
      const isHidden = isInside || isSensitivePath(expression.path, sensitivity)
      return { ...expression, filter: maskExpression(expression.filter, isHidden, sensitivity) }
    }
  }
}

function isSensitiveComparison({ path, value }: Filter.Compare, sensitivity: Sensitivity): boolean {
  if (isSensitivePath(path, sensitivity)) return true
  return typeof value === 'string' && sensitivity.isSecret(value)
}

function isSensitivePath(
  { schema, attribute, subAttribute }: Filter.AttributePath,
  sensitivity: Sensitivity,
): boolean {
  if (subAttribute === null && sensitivity.isComplex(attribute)) return true
  return sensitivity.isSensitive(`${schema ?? ''}:${attribute}.${subAttribute ?? ''}`)
}

/** Whether a text has only names or numbers, without a filter or a token. */
function isPlain(text: string): boolean {
  return /^[\w$:.,\s-]*$/.test(text) && maskTokens(text) === text
}

/** Decodes part of a query; a plus is a space. Invalid UTF-8 is decoded byte by byte. */
function decoded(part: string): string {
  const text = part.replaceAll('+', ' ')
  try {
    return decodeURIComponent(text)
  } catch {
    return text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
  }
}

/** Parameters with attribute paths or numbers as values. A path may contain a filter. */
const NAMES: ReadonlySet<string> = new Set([
  'attributes',
  'excludedAttributes',
  'sortBy',
  'sortOrder',
  'startIndex',
  'count',
])
