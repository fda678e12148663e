import type { PersonName } from './people.ts'

/** A filter, and the people from `peopleOf` that it selects. */
export interface FilterRow {
  /** The section of the standard the row comes from. */
  readonly section: string
  /** The values under comparison. */
  readonly about: 'text' | 'exact text' | 'boolean' | 'logic' | 'value path'
  /** Returns the filter's text, for people with the tag. */
  readonly filter: (tag: string) => string
  /** The names of the selected people, in alphabetical order. */
  readonly selects: readonly PersonName[]
}
