import type { PersonName } from './people.ts'

/** A filter, and the people from `peopleOf` it selects. */
export interface FilterRow {
  /** The standard's section behind the row. */
  readonly section: string
  /** The values under comparison. */
  readonly about: 'text' | 'exact text' | 'boolean' | 'logic' | 'value path'
  /** Returns the filter's text, for people with the tag. */
  readonly filter: (tag: string) => string
  /** The selected people by name, in alphabetical order. */
  readonly selects: readonly PersonName[]
}
