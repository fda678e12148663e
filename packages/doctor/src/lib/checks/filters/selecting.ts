import type { Check } from '../../check.ts'
import { expectEqual } from '../../toolkit/expect.ts'
import type { PersonName } from '../../toolkit/people.ts'
import type { Created, People } from '../../toolkit/server.ts'

/** A check that a filter selects some of the shared users. */
export interface Selecting extends Omit<Check, 'run'> {
  readonly filter: (people: People) => string
  /** The names of the selected users, in alphabetical order. */
  readonly selects: readonly PersonName[]
}

/** Creates the check. It is skipped if the server does not even find a user by its userName. */
export function selecting({ filter, selects, needs = [], ...check }: Selecting): Check {
  return {
    ...check,
    needs: ['check:filters.eq-string', ...needs],
    run: async ({ people, matches }) => {
      const text = filter(await people())
      expectEqual(await matches(text), selects, `the users that ${text} selects`)
    },
  }
}

/** The userName of a user as a filter writes it. */
export function nameOf({ sent }: Created): string {
  return JSON.stringify(sent.userName)
}

/** The text that only the userNames of the shared users start with; it ends with a period. */
export function prefixOf({ ada }: People): string {
  return String(ada.sent.userName).slice(0, -'Ada@example.com'.length)
}

/** A part of a userName, after the common prefix, as a filter writes the prefix and the part. */
export function startOf(people: People, part: string): string {
  return JSON.stringify(`${prefixOf(people)}${part}`)
}

/** A filter that selects some users, and no others. */
export function anyOf(...users: readonly Created[]): string {
  return users.map((one) => `userName eq ${nameOf(one)}`).join(' or ')
}
