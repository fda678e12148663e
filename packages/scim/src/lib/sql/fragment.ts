/** A value that a statement of SQL binds. */
export type SqlValue = string | number | bigint | boolean | Date | Uint8Array | null

/** The needs of a statement that its text does not show. */
export interface SqlTraits {
  /**
   * Whether the best plan depends on the values: some of them are frequent, and most are not. A database should plan the
   * statement at each run, and not once for all values.
   */
  readonly isPlannedForValues: boolean
}

/**
 * A statement of SQL with bound values, or a part of one. There is one string more than values, and each value is between
 * two strings.
 */
export class Fragment {
  readonly strings: readonly string[]
  readonly values: readonly SqlValue[]
  /** The needs of the statement, which are those of its parts. */
  readonly traits: SqlTraits

  constructor(strings: readonly string[], values: readonly SqlValue[], traits: SqlTraits = PLAIN) {
    this.strings = strings
    this.values = values
    this.traits = traits
  }
}

/**
 * Writes a statement of SQL, or a part of one. A fragment becomes a part of it, and any other value is bound, never a part
 * of the text.
 *
 * @example
 * ```ts
 * import { raw, renderSql, sql } from '@plumbline/scim/sql'
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

/** A part of a statement without values. The text must not come from a client. */
export function raw(text: string): Fragment {
  return new Fragment([text], [])
}

/** The same part of a statement, whose plan depends on its values. */
export function plannedForValues({ strings, values }: Fragment): Fragment {
  return new Fragment(strings, values, FOR_VALUES)
}

/** Joins parts of a statement by a separator such as `, `. */
export function joinFragments(parts: readonly Fragment[], separator: string): Fragment {
  const builder = new Builder()
  for (const [at, part] of parts.entries()) {
    if (at > 0) builder.addText(separator)
    builder.addFragment(part)
  }
  return builder.finish()
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
