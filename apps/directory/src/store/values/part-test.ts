import type { Filter } from '@plumbline/scim/filter'
import { condition, joinConditions, type SqlCondition } from '../condition.ts'
import type { IndexedPart } from './indexed-attributes.ts'
import { afterStart, keyableStart, MOST_UNITS } from './value-key.ts'
import { keyOf } from './value-rows.ts'

/** A test of a row of one part. */
export interface PartTest {
  /** The paths of the rows that can match. */
  readonly paths: readonly string[]
  /** The condition on the key in a column. */
  readonly key: (column: string) => SqlCondition
  /** Whether exactly the values that match pass; otherwise others pass, too. */
  readonly isExact: boolean
  /** Whether an index finds the rows that pass. */
  readonly isIndexed: boolean
  /** The path and the key that a row must have, if the test is only that. */
  readonly equal?: { readonly path: string; readonly key: string }
}

/** Whether some row of a path has a hash in its key. */
export type HasHashes = (part: IndexedPart) => boolean

/** The test of a comparison, `ne` excepted; null if rows cannot express it. */
export function testOfComparison(
  part: IndexedPart,
  { operator, value }: Pick<Filter.Compare, 'operator' | 'value'>,
  hasHashes: HasHashes,
): PartTest | null {
  const made = keyOf(part, value)
  if (made === null) return null
  const { key, isWhole } = made
  if (operator === 'eq') {
    const path = isWhole ? part.path : part.hashedPath
    const test = { isExact: true, isIndexed: true, equal: { path, key } }
    return { ...test, paths: [path], key: comparison('=', key) }
  }
  const paths = [part.path, part.hashedPath]
  if (part.kind === 'text' && operator === 'sw') return startTest(part, String(value), paths)
  const test = operator === 'ne' ? null : otherTest(part, operator, value, key)
  if (test === null) return null
  if (!hasHashes(part)) return { paths, key: test, isExact: true, isIndexed: false }
  const isHashed = (column: string) => condition(`${column} like ?`, '%\u{10ffff}%')
  const either = (column: string) => joinConditions('or', [test(column), isHashed(column)])
  return { paths, key: either, isExact: false, isIndexed: false }
}

/** The test whether a value is assigned and not empty (RFC 7644 §3.4.2.2, Table 3). */
export function testOfPresence(part: IndexedPart): PartTest {
  const paths = [part.path, part.hashedPath]
  return { paths, key: comparison('<>', ''), isExact: true, isIndexed: false }
}

function startTest(part: IndexedPart, value: string, paths: readonly string[]): PartTest {
  const folded = part.caseExact ? value : value.toLowerCase()
  const start = keyableStart(folded)
  const isExact = start === folded
  const key = (column: string) =>
    start === ''
      ? condition(`${column} is not null`)
      : condition(`${column} >= ? and ${column} < ?`, start, afterStart(start))
  return { paths, key, isExact, isIndexed: start !== '' }
}

/** The condition of a substring or of an order, for keys that are whole. */
function otherTest(
  { kind, caseExact }: IndexedPart,
  operator: Exclude<Filter.Operator, 'eq' | 'ne'>,
  value: Filter.Value,
  key: string,
): PartTest['key'] | null {
  const sign = SIGNS[operator]
  const text = kind === 'text' ? (caseExact ? String(value) : String(value).toLowerCase()) : key
  // A database does not accept U+0000.
  if (sign !== undefined) return text.includes('\0') ? null : comparison(sign, text)
  if (kind !== 'text') return null
  // No whole key contains it.
  if (text.length > MOST_UNITS || text.includes('\0')) return () => condition('1 = 0')
  const pattern = text.replace(/[!%_]/g, '!$&')
  const end = operator === 'co' ? '%' : ''
  return (column) => condition(`${column} like ? escape '!'`, `%${pattern}${end}`)
}

function comparison(sign: string, key: string): PartTest['key'] {
  return (column) => condition(`${column} ${sign} ?`, key)
}

const SIGNS: Readonly<Partial<Record<Filter.Operator, string>>> = {
  gt: '>',
  ge: '>=',
  lt: '<',
  le: '<=',
}
