/** User attributes, by name. Undefined marks an attribute without a value. */
export type UserValues = Readonly<Record<string, unknown>>

/** A user change made with one PATCH operation. */
export interface PatchRow {
  /** The section of the standard the row comes from. */
  readonly section: string
  /** The attribute paths a server must declare, such as `emails.type`. */
  readonly needs: readonly string[]
  /** The operations for which the row holds. */
  readonly ops: readonly ('add' | 'replace' | 'remove')[]
  /** The user before the change. Texts that must be unique contain the tag. */
  readonly before: (tag: string) => UserValues
  /** The operation's path; null without one. */
  readonly path: ((tag: string) => string) | null
  /** The operation's value; undefined for a removal. */
  readonly value: (tag: string) => unknown
  /**
   * The user after the change. A list has exactly these elements, in any order; an element may have more parts. A part
   * with the value undefined may also be false.
   */
  readonly after: (tag: string) => UserValues
}

/**
 * Returns a row, for add and replace by default, and for remove without a value. The path is a text, or is computed
 * from the tag.
 */
export function patchRow({
  path,
  value,
  ops = value === undefined ? ['remove'] : ['add', 'replace'],
  before = () => ({}),
  ...row
}: Pick<PatchRow, 'section' | 'needs' | 'after'> & {
  readonly ops?: PatchRow['ops']
  readonly before?: PatchRow['before']
  readonly path?: string | ((tag: string) => string)
  readonly value?: unknown
}): PatchRow {
  return {
    ...row,
    ops,
    before,
    path: path === undefined ? null : typeof path === 'string' ? () => path : path,
    value: (tag) => (typeof value === 'function' ? value(tag) : value),
  }
}

/** A user's work address. */
export const work = (tag: string) => ({ type: 'work', value: `${tag}@example.com` })

/** A user's home address. */
export const home = (tag: string) => ({ type: 'home', value: `${tag}@home.example` })

/** The address a change sets. */
export const other = (tag: string) => `${tag}-2@example.com`

/** A user with two addresses. */
export const both = (tag: string): UserValues => ({ emails: [work(tag), home(tag)] })

/** A user with one address. */
export const only = (tag: string): UserValues => ({ emails: [work(tag)] })

/** The user with one address after it was changed. */
export const changed = (tag: string): UserValues => ({
  emails: [{ type: 'work', value: other(tag) }],
})
