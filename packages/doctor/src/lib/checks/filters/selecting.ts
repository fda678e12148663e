import type { Check } from '../../check.ts'
import type { JsonObject } from '../../json.ts'
import type { FilterRow } from '../../rows/filter-row.ts'
import { isFilterHolding, type SentPeople } from '../../rows/holding.ts'
import { expectEqual } from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'
import type { Created, People, Server } from '../../toolkit/server.ts'

/** A check that a filter selects some of the shared users. */
export interface Selecting extends Omit<Check, 'run'> {
  /** The filter, and the users that it selects. */
  readonly row: FilterRow
  /** A filter with the same operator and a text from another place of the value. It does not select a user. */
  readonly misplaced?: FilterRow
  /** Whether the filter is another spelling of one the server supports, so that it must be supported, too. */
  readonly isRequired?: boolean
}

/** Creates the check. It is skipped if the server does not even find a user by its userName. */
export function selecting({
  row,
  misplaced,
  isRequired = false,
  needs = [],
  ...check
}: Selecting): Check {
  return {
    ...check,
    needs: ['check:filters.eq-string', ...needs],
    run: (server) => {
      const matches: Server['matches'] = (filter, own) =>
        server.matches(filter, { ...own, isRequired })
      return expectRows({ ...server, matches }, row, ...(misplaced ? [misplaced] : []))
    },
  }
}

/** Throws unless the filter of each row selects its users. Rows about values that no user could be sent are skipped. */
export async function expectRows(
  { people, matches, type }: Pick<Server, 'people' | 'matches' | 'type'>,
  ...rows: readonly FilterRow[]
): Promise<void> {
  const users = await people()
  const tag = tagOf(users)
  const domain = domainOf(users)
  const { definitions } = type('User')
  const holding = rows
    .map((row) => ({ ...row, filter: () => inDomain(row.filter(tag), domain) }))
    .filter((row) => isFilterHolding(row, storedOf(users), tag, definitions))
  if (holding.length === 0)
    skip('The server does not have the values or the letter case of the filter.')
  for (const { filter, selects } of holding) {
    const text = filter()
    expectEqual(await matches(text), selects, `the users that ${text} selects`)
  }
}

/** The shared users as the server stored them: it is free to alter or ignore what it was sent (RFC 7644 §3.3). */
export function storedOf({ ada, bob, eve }: People): SentPeople {
  const stored = ({ sent, body }: Created) => ({ ...body, ...pick(sent, body) })
  return { ada: stored(ada), bob: stored(bob), eve: stored(eve) }
}

/** The members of what was sent the response does not have: a server does not have to return them. */
function pick(sent: JsonObject, body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !Object.hasOwn(body, name)))
}

/** The userName of a user as a filter writes it. */
export function nameOf({ sent }: Created): string {
  return JSON.stringify(sent.userName)
}

/** The tag of the shared users: their userNames start with it and a period. */
function tagOf({ ada }: People): string {
  return String(ada.sent.userName).split('.Ada')[0] ?? ''
}

/** The userNames' domain, which an operator may have changed. */
function domainOf({ ada }: People): string {
  return String(ada.sent.userName).split('@')[1] ?? 'example.com'
}

function inDomain(filter: string, domain: string): string {
  return filter
    .replaceAll('@example.com', `@${domain}`)
    .replaceAll('@EXAMPLE.COM', `@${domain.toUpperCase()}`)
}

/** A filter that selects some users, and no others. */
export function anyOf(...users: readonly Created[]): string {
  return users.map((one) => `userName eq ${nameOf(one)}`).join(' or ')
}
