import type { Operator } from '../filter/tree.ts'

/** A value to compare with. A Date is compared with a timestamp column. */
export type PredicateValue = string | number | bigint | boolean | Date

/** Comparisons for equality or order. */
export type Comparison = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte'

/** A condition on a table row. Each database library writes it differently. */
export type Predicate =
  | {
      readonly type: 'comparison'
      readonly operator: Comparison
      readonly column: string
      readonly value: PredicateValue
    }
  | In
  | FoldedIn
  | Match
  | { readonly type: 'null'; readonly column: string; readonly negated: boolean }
  | {
      readonly type: 'logical'
      readonly operator: 'and' | 'or'
      readonly operands: readonly Predicate[]
    }
  | Exists

/** Tests whether a column contains one of several values. */
export interface In {
  readonly type: 'in'
  readonly column: string
  readonly values: readonly PredicateValue[]
}

/** Tests whether a column contains one of several strings in any letter case, like a folded match with one piece. */
export interface FoldedIn {
  readonly type: 'foldedIn'
  readonly column: string
  readonly values: readonly string[]
}

/** A string match. Any string may be between two pieces: `['a', '']` matches each string starting with `a`. */
export interface Match {
  readonly type: 'match'
  readonly column: string
  readonly pieces: readonly string[]
  /** Whether ASCII letters match in any case. */
  readonly folded: boolean
  readonly negated: boolean
}

/** Tests whether a related row in another table meets a condition. */
export interface Exists {
  readonly type: 'exists'
  readonly join: Join
  readonly where: Predicate
  readonly negated: boolean
  /**
   * Conditions on the other table's rows that an index serves. A row matching `where` belongs to the same resource as a
   * row matching each lookup. If `where` is one of them, both are the same object. None by default.
   */
  readonly lookups?: readonly Predicate[] | undefined
  /** The key a row must have, if `where` tests nothing else. */
  readonly equal?: { readonly path: string; readonly key: string } | undefined
}

/** Connects a row to the resource's rows in another table. */
export interface Join {
  readonly table: string
  /** The pairs of equal columns: the other table's, and this one's. */
  readonly on: readonly (readonly [column: string, ownColumn: string])[]
  /**
   * How the database runs the selection, if the table has attribute–key rows. `for values` plans it for the bound
   * values, because some are frequent and most are not. `for each row` prevents joining and sorting all rows when a
   * page needs only the first few.
   */
  readonly plan?: 'for values' | 'for each row' | undefined
  /** The other table's columns that start an index. None by default. */
  readonly indexed?: readonly string[] | undefined
}

/** Operators for equality or order. */
export type RelationalOperator = Exclude<Operator, 'co' | 'sw' | 'ew'>

/** The SQL comparison for each relational operator. */
export const COMPARISONS: Readonly<Record<RelationalOperator, Comparison>> = {
  eq: 'eq',
  ne: 'ne',
  gt: 'gt',
  ge: 'gte',
  lt: 'lt',
  le: 'lte',
}

export function isRelational(operator: Operator): operator is RelationalOperator {
  return Object.hasOwn(COMPARISONS, operator)
}

/** Compares a column with a value. */
export function compare(column: string, operator: Comparison, value: PredicateValue): Predicate {
  return { type: 'comparison', operator, column, value }
}

export function isNull(column: string): Predicate {
  return { type: 'null', column, negated: false }
}

export function notNull(column: string): Predicate {
  return { type: 'null', column, negated: true }
}

/** Matches every row, whatever its columns contain. */
export const EVERY: Predicate = { type: 'logical', operator: 'and', operands: [] }
/** Matches no row, whatever its columns contain. */
export const NONE: Predicate = { type: 'logical', operator: 'or', operands: [] }

/** Matches no row. */
export function never(column: string): Predicate {
  return logical('and', [isNull(column), notNull(column)])
}

/** Matches every row. */
export function always(column: string): Predicate {
  return logical('or', [isNull(column), notNull(column)])
}

/**
 * Joins predicates, without constants among the operands. Long lists become trees of short lists: SQLite parses
 * `a and b and c` as a tree as deep as the list is long, and accepts 1,000 levels.
 */
export function logical(operator: 'and' | 'or', joined: readonly Predicate[]): Predicate {
  const [neutral, absorbing] = operator === 'and' ? [EVERY, NONE] : [NONE, EVERY]
  if (joined.includes(absorbing)) return absorbing
  const operands = joined.filter((one) => one !== neutral)
  const [only] = operands
  if (only === undefined) return neutral
  if (operands.length === 1) return only
  const size = Math.ceil(operands.length / FAN_OUT)
  const parts: Predicate[] = []
  for (let at = 0; at < operands.length; at += size) {
    parts.push(logical(operator, operands.slice(at, at + size)))
  }
  return { type: 'logical', operator, operands: parts }
}

/** Selects rows of another table. A condition that no row meets would be a join with nothing, which Citus rejects. */
export function selection(exists: Omit<Exists, 'type'>): Predicate {
  if (exists.where === NONE) return exists.negated ? EVERY : NONE
  return { type: 'exists', ...exists }
}

/**
 * Joins predicates with `or`. In a long list, comparisons on the same column become one `in`: SQLite takes seconds to
 * prepare ten thousand `or` operands, but milliseconds for as many `in` values.
 */
export function either(predicates: readonly Predicate[]): Predicate {
  if (predicates.length <= FAN_OUT) return logical('or', predicates)
  const values = new Map<string, PredicateValue[]>()
  const folded = new Map<string, string[]>()
  const others: Predicate[] = []
  for (const predicate of predicates) {
    const { type } = predicate
    if (type === 'comparison' && predicate.operator === 'eq') {
      addTo(values, predicate.column, predicate.value)
    } else if (type === 'match' && isFoldedString(predicate)) {
      addTo(folded, predicate.column, ...predicate.pieces)
    } else others.push(predicate)
  }
  const lists = [
    ...Array.from(values, ([column, all]): Predicate => ({ type: 'in', column, values: all })),
    ...Array.from(
      folded,
      ([column, all]): Predicate => ({ type: 'foldedIn', column, values: all }),
    ),
  ]
  return logical('or', [...lists, ...others])
}

/** Returns whether a match compares with one string in any letter case. */
function isFoldedString({ pieces, folded, negated }: Match): boolean {
  return folded && !negated && pieces.length === 1
}

function addTo<Value>(lists: Map<string, Value[]>, column: string, ...values: Value[]): void {
  const known = lists.get(column)
  if (known) known.push(...values)
  else lists.set(column, values)
}

/** Matches the rows a predicate does not match, if none of its columns is null. */
export function negate(predicate: Predicate): Predicate {
  switch (predicate.type) {
    case 'comparison':
      return { ...predicate, operator: OPPOSITES[predicate.operator] }
    case 'in':
      return logical(
        'and',
        predicate.values.map((value) => compare(predicate.column, 'ne', value)),
      )
    case 'foldedIn':
      return logical('and', matchesOf(predicate).map(negate))
    case 'logical':
      return logical(predicate.operator === 'and' ? 'or' : 'and', predicate.operands.map(negate))
    case 'match':
    case 'null':
    case 'exists':
      return { ...predicate, negated: !predicate.negated }
  }
}

/** Expands a list of folded strings to matches. */
export function matchesOf({ column, values }: FoldedIn): readonly Match[] {
  return values.map((value) => ({
    type: 'match',
    column,
    pieces: [value],
    folded: true,
    negated: false,
  }))
}

const OPPOSITES: Readonly<Record<Comparison, Comparison>> = {
  eq: 'ne',
  ne: 'eq',
  gt: 'lte',
  gte: 'lt',
  lt: 'gte',
  lte: 'gt',
}

/** Counts the levels `logical` adds above its operands. In a chain, every operand but the first adds one. */
export function levelsOf(operands: number): number {
  if (operands <= FAN_OUT) return Math.max(0, operands - 1)
  const size = Math.ceil(operands / FAN_OUT)
  const parts = Math.ceil(operands / size)
  const last = operands - (parts - 1) * size
  // A shorter list can be deeper: 242 operands make 30 levels, 257 make 24.
  return levelsOf(parts) + Math.max(levelsOf(size), levelsOf(last))
}

const FAN_OUT = 16
