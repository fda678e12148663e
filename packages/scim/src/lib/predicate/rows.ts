import type { ElementRows } from './column-map.ts'
import { isFilled } from './part.ts'
import {
  compare,
  EVERY,
  type Exists,
  either,
  logical,
  NONE,
  negate,
  notNull,
  type Predicate,
  selection,
} from './predicate.ts'
import type { Translation } from './translation.ts'

/** Translates a test, or its negation, for a value stored in several index rows. */
export function testRows(
  source: ElementRows,
  translation: Translation,
  negated: boolean,
): Translation {
  if ('exact' in translation) {
    const exact = someValue(source, translation.exact)
    return { exact: negated ? negate(exact) : exact }
  }
  const superset = negated ? null : someValue(source, translation.superset ?? EVERY)
  return { reason: translation.reason, superset }
}

/** RFC 7644 Table 3: a complex value is not empty if one of its parts is not empty. */
export function testAnyRow({ entry }: ElementRows): Translation {
  const columns = Object.values(entry.parts).flatMap(({ column, kind }) => {
    if (column === undefined) return []
    return kind === 'boolean' ? notNull(column) : isFilled(column)
  })
  const exact = logical('or', [isFilled(entry.columns.key), ...columns])
  if (entry.isWhole) return { exact }
  return { reason: 'some sub-attributes are not in the index', superset: null }
}

/** Tests whether one of the resource's values has a row matching a condition. */
function someValue(source: ElementRows, where: Predicate): Predicate {
  const { join, self, entry } = source
  // One row or another: each has its own plan.
  if (where.type === 'logical' && where.operator === 'or' && where.operands.length > 0) {
    const some = where.operands.map((one) => someValue(source, one))
    return either(mergeKeys(some.flatMap((one) => flatten(one, 'or'))))
  }
  const conditions = flatten(where, 'and')
  const own = conditions.flatMap((one) =>
    one.type === 'exists' && one.join === self && !one.negated ? [one] : [],
  )
  // The database starts with this row, so one with an index is preferred.
  const chosen = own.find(isIndexed) ?? own[0]
  const { attribute } = entry.columns
  const { start, end } = entry.range
  const row =
    chosen?.where ??
    logical('and', [compare(attribute, 'gte', start), compare(attribute, 'lt', end)])
  const others = conditions.filter((one) => one !== chosen)
  return selection({
    join,
    negated: false,
    where: logical('and', [row, ...others]),
    lookups: own.flatMap(({ lookups = [] }) => lookups),
    equal: others.length === 0 ? chosen?.equal : undefined,
  })
}

function isIndexed({ lookups = [] }: Exists): boolean {
  return lookups.length > 0
}

/** Returns the operands of `and` or `or`, or a list with the predicate itself. */
export function flatten(predicate: Predicate, operator: 'and' | 'or'): readonly Predicate[] {
  if (predicate.type !== 'logical' || predicate.operator !== operator) return [predicate]
  return predicate.operands.flatMap((operand) => flatten(operand, operator))
}

/** Merges selections with the same path and different keys. */
export function mergeKeys(predicates: readonly Predicate[]): readonly Predicate[] {
  const groups = new Map<string, Exists[]>()
  const others: Predicate[] = []
  for (const one of predicates) {
    if (one.type !== 'exists' || one.negated || one.equal === undefined) {
      others.push(one)
      continue
    }
    const name = JSON.stringify([one.join.table, one.equal.path])
    const known = groups.get(name)
    if (known) known.push(one)
    else groups.set(name, [one])
  }
  return [...Array.from(groups.values(), mergeGroup), ...others]
}

function mergeGroup(group: readonly Exists[]): Predicate {
  const [first, second] = group
  if (first === undefined || second === undefined) return first ?? NONE
  const [ofPath, ofKey] = first.where.type === 'logical' ? first.where.operands : []
  if (ofPath === undefined || ofKey?.type !== 'comparison') return either(group)
  const values = group.flatMap(({ equal }) => equal?.key ?? [])
  const where = logical('and', [ofPath, { type: 'in', column: ofKey.column, values }])
  return { ...first, where, lookups: [where], equal: undefined }
}
