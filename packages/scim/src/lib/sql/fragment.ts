import { chunk } from '../chunk.ts'

/** A value bound to a statement's placeholder. */
export type SqlValue = string | number | bigint | boolean | Date | Uint8Array | null

/** Statement properties that the text does not show. */
export interface SqlTraits {
  /**
   * Whether the best plan depends on the values, because a few are frequent and most are rare. The database should plan
   * the statement on each run rather than once for all values.
   */
  readonly isPlannedForValues: boolean
}

/**
 * An SQL statement, or part of one, with its bound values. It has one more string than values: each value is between
 * two strings.
 */
export class Fragment {
  readonly strings: readonly string[]
  readonly values: readonly SqlValue[]
  /** The statement's traits, combined from the parts. */
  readonly traits: SqlTraits

  constructor(strings: readonly string[], values: readonly SqlValue[], traits: SqlTraits = PLAIN) {
    this.strings = strings
    this.values = values
    this.traits = traits
  }
}

/**
 * Builds an SQL statement or a part of one. Fragments are inserted into it; any other value is bound, never written
 * into the text.
 *
 * @example
 * ```ts
 * import { raw, renderSql, sql } from '@plumbline/scim/internal'
 *
 * const isNamed = sql`name = ${"O'Hara"}`
 * const statement = sql`select id from ${raw('users')} where ${isNamed} and age > ${30}`
 * renderSql(statement, 'postgres').sql //=> 'select id from users where name = $1 and age > $2'
 * renderSql(statement, 'sqlite').parameters //=> ["O'Hara", 30]
 * ```
 */
export function sql(
  strings: TemplateStringsArray,
  ...parts: readonly (Fragment | SqlValue)[]
): Fragment {
  const builder = new Builder()
  builder.addText(strings[0] ?? '')
  let at = 0
  for (const part of parts) {
    if (part instanceof Fragment) builder.addFragment(part)
    else builder.addValue(part)
    at += 1
    builder.addText(strings[at] ?? '')
  }
  return builder.finish()
}

/** Turns text into a fragment without values. The text must not come from a client. */
export function raw(text: string): Fragment {
  return new Fragment([text], [])
}

/** Copies a fragment and marks its plan as dependent on its values. */
export function plannedForValues({ strings, values }: Fragment): Fragment {
  return new Fragment(strings, values, FOR_VALUES)
}

/** Joins fragments with a separator such as `, `. */
export function joinFragments(parts: readonly Fragment[], separator: string): Fragment {
  const builder = new Builder()
  for (const [at, part] of parts.entries()) {
    if (at > 0) builder.addText(separator)
    builder.addFragment(part)
  }
  return builder.finish()
}

/**
 * Joins values into a list of bound parameters.
 *
 * @example
 * ```ts
 * import { bindList, renderSql, sql } from '@plumbline/scim/internal'
 *
 * const statement = sql`select email from users where id in (${bindList([7, 8])})`
 * renderSql(statement, 'postgres').sql //=> 'select email from users where id in ($1, $2)'
 * ```
 */
export function bindList(values: readonly SqlValue[]): Fragment {
  const builder = new Builder()
  for (const [at, value] of values.entries()) {
    if (at > 0) builder.addText(', ')
    builder.addValue(value)
  }
  return builder.finish()
}

/** Splits keys or rows into chunks of 500, each small enough for one statement. */
export function chunkRows<Value>(values: readonly Value[]): Value[][] {
  return chunk(values, 500)
}

class Builder {
  private readonly strings: string[] = []
  private readonly values: SqlValue[] = []
  private text = ''
  private isPlannedForValues = false

  addText(text: string): void {
    this.text += text
  }

  addValue(value: SqlValue): void {
    this.strings.push(this.text)
    this.values.push(value)
    this.text = ''
  }

  addFragment({ strings, values, traits }: Fragment): void {
    this.isPlannedForValues ||= traits.isPlannedForValues
    this.addText(strings[0] ?? '')
    let at = 0
    for (const value of values) {
      this.addValue(value)
      at += 1
      this.addText(strings[at] ?? '')
    }
  }

  finish(): Fragment {
    this.strings.push(this.text)
    return new Fragment(this.strings, this.values, this.isPlannedForValues ? FOR_VALUES : PLAIN)
  }
}

const PLAIN: SqlTraits = { isPlannedForValues: false }
const FOR_VALUES: SqlTraits = { isPlannedForValues: true }
