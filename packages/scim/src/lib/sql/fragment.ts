/** A value that a statement of SQL binds. */
export type SqlValue = string | number | bigint | boolean | Date | Uint8Array | null

/** A part of a statement. There is one string more than values, and each value is between two strings. */
export class Fragment {
  readonly strings: readonly string[]
  readonly values: readonly SqlValue[]

  constructor(strings: readonly string[], values: readonly SqlValue[]) {
    this.strings = strings
    this.values = values
  }
}

/** Writes a part of a statement. A fragment becomes a part of it, and any other value is bound. */
export function sql(
  strings: TemplateStringsArray,
  ...parts: readonly (Fragment | SqlValue)[]
): Fragment {
  const builder = new Builder()
  for (const [at, text] of strings.entries()) {
    builder.addText(text)
    const part = parts[at]
    if (part instanceof Fragment) builder.addFragment(part)
    else if (part !== undefined) builder.addValue(part)
  }
  return builder.finish()
}

/** A part of a statement without values. The text must not come from a client. */
export function raw(text: string): Fragment {
  return new Fragment([text], [])
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

  addText(text: string): void {
    this.text += text
  }

  addValue(value: SqlValue): void {
    this.strings.push(this.text)
    this.values.push(value)
    this.text = ''
  }

  addFragment({ strings, values }: Fragment): void {
    this.addText(strings[0] ?? '')
    for (const [at, value] of values.entries()) {
      this.addValue(value)
      this.addText(strings[at + 1] ?? '')
    }
  }

  finish(): Fragment {
    return new Fragment([...this.strings, this.text], this.values)
  }
}
