import type { FilterRow } from '@plumbline/scim/testing'
import type { Check } from '../../check.ts'
import { expectEqual } from '../../toolkit/expect.ts'
import type { Created, People, Server } from '../../toolkit/server.ts'

/** A check that a filter selects some of the shared users. */
export interface Selecting extends Omit<Check, 'run' | 'section'> {
  /** The filter, and the users that it selects. */
  readonly row: FilterRow
}

/** Creates the check. It is skipped if the server does not even find a user by its userName. */
export function selecting({ row, needs = [], ...check }: Selecting): Check {
  return {
    ...check,
    section: row.section,
    needs: ['check:filters.eq-string', ...needs],
    run: (server) => expectRows(server, row),
  }
}

/** Throws unless the filter of each row selects its users. */
export async function expectRows(
  { people, matches }: Pick<Server, 'people' | 'matches'>,
  ...rows: readonly FilterRow[]
): Promise<void> {
  const tag = tagOf(await people())
  for (const { filter, selects } of rows) {
    const text = filter(tag)
    expectEqual(await matches(text), selects, `the users that ${text} selects`)
  }
}

/** The userName of a user as a filter writes it. */
export function nameOf({ sent }: Created): string {
  return JSON.stringify(sent.userName)
}

/** The tag of the shared users: their userNames start with it and a period. */
function tagOf({ ada }: People): string {
  return String(ada.sent.userName).slice(0, -'.Ada@example.com'.length)
}

/** A filter that selects some users, and no others. */
export function anyOf(...users: readonly Created[]): string {
  return users.map((one) => `userName eq ${nameOf(one)}`).join(' or ')
}
