import type { PersonName } from './people.ts'

/** A filter, and the people of `peopleOf` that it selects. */
export interface FilterRow {
  /** The section of the standard that says so. */
  readonly section: string
  /** The values that are compared. */
  readonly about: 'text' | 'exact text' | 'boolean' | 'logic' | 'value path'
  /** Returns the filter's text, for people with the tag. */
  readonly filter: (tag: string) => string
  /** The names of the selected people, in alphabetical order. */
  readonly selects: readonly PersonName[]
}
