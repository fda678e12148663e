/** A condition of SQL with placeholders `?`, and their values. The text never contains data of a client. */
export interface SqlCondition {
  readonly text: string
  readonly values: readonly unknown[]
}

/** A condition of its text and values. */
export function condition(text: string, ...values: readonly unknown[]): SqlCondition {
  return { text, values }
}

/** Joins conditions. `and` of an empty list is true, `or` is false. */
export function joinConditions(
  operator: 'and' | 'or',
  conditions: readonly SqlCondition[],
): SqlCondition {
  const [only] = conditions
  if (only === undefined) return condition(operator === 'and' ? '1 = 1' : '1 = 0')
  if (conditions.length === 1) return only
  // SQLite reads a flat list as a tree as deep as the list is long, up to 1,000 levels.
  const parts = conditions.length <= FAN_OUT ? conditions : halves(operator, conditions)
  return {
    text: `(${parts.map(({ text }) => text).join(` ${operator} `)})`,
    values: parts.flatMap(({ values }) => values),
  }
}

function halves(
  operator: 'and' | 'or',
  conditions: readonly SqlCondition[],
): readonly SqlCondition[] {
  const middle = Math.ceil(conditions.length / 2)
  return [conditions.slice(0, middle), conditions.slice(middle)].map((some) =>
    joinConditions(operator, some),
  )
}

/** The negation of a condition that is never null. */
export function negate({ text, values }: SqlCondition): SqlCondition {
  return { text: `not ${text}`, values }
}

const FAN_OUT = 16

/**
 * A comment in statements whose plan depends on how frequent their values are. PostgreSQL plans them at each run, and
 * not once for all values.
 */
export const PLANNED_FOR_VALUES = '/* planned for its values */'

/**
 * The end of a subquery of `exists` that PostgreSQL then runs for each row, and does not join with the other tables. It
 * underestimates such joins, and would compute all of them to sort them, although a page needs the first few.
 */
export const FOR_EACH_ROW = ' limit 1 offset 0'

/** The same condition for a count, which needs all rows: a join is faster. */
export function joined({ text, values }: SqlCondition): SqlCondition {
  return { text: text.replaceAll(FOR_EACH_ROW, ''), values }
}
