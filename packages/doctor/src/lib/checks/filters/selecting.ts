import type { Check } from '../../check.ts'
import type { JsonObject } from '../../json.ts'
import { findVocabulary } from '../../model/vocabulary.ts'
import type { FilterRow } from '../../rows/filter-row.ts'
import { isFilterHolding, type SentPeople } from '../../rows/holding.ts'
import { renamingOf } from '../../rows/renaming.ts'
import { expectEqual } from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'
import type { Created, People, Server } from '../../toolkit/server.ts'

/** A check for one filter: it must select some shared users. */
export interface Selecting extends Omit<Check, 'run'> {
  /** The filter, with the users it selects. */
  readonly row: FilterRow
  /** A filter with the same operator, and a text from elsewhere in the value. It does not select a user. */
  readonly misplaced?: FilterRow
  /** Rows for servers without the row's values, such as servers with one address. The first that holds is used. */
  readonly otherwise?: readonly FilterRow[]
  /** Whether the filter is another spelling of one the server supports, and so must be supported, too. */
  readonly isRequired?: boolean
}

/** Creates the check. It is skipped if the server cannot even find a user by userName. */
export function selecting({
  row,
  misplaced,
  otherwise = [],
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
      return expectFirst({ ...server, matches }, [row, ...otherwise], misplaced)
    },
  }
}

type Asked = Pick<Server, 'people' | 'matches' | 'type'>

/** Throws unless each row's filter selects the row's users. Skips rows about values no user could be sent. */
export async function expectRows(server: Asked, ...rows: readonly FilterRow[]): Promise<void> {
  await expectSelected(server, await holdingRows(server, rows))
}

/** Expects the same from the first row whose values the users have, and then from the misplaced one. */
async function expectFirst(
  server: Asked,
  rows: readonly FilterRow[],
  misplaced: FilterRow | undefined,
): Promise<void> {
  const [first] = await holdingRows(server, rows)
  const others = misplaced === undefined ? [] : await holdingRows(server, [misplaced])
  await expectSelected(server, first === undefined ? [] : [first, ...others])
}

interface HoldingRow {
  readonly filter: string
  readonly selects: FilterRow['selects']
}

/** Renames rows for the server, and keeps those that fit the users as stored. */
async function holdingRows(
  { people, type }: Asked,
  rows: readonly FilterRow[],
): Promise<readonly HoldingRow[]> {
  const users = await people()
  const tag = tagOf(users)
  const domain = domainOf(users)
  const { definitions } = type('User')
  const names = renamingOf(findVocabulary(type('User')))
  return rows
    .map((row) => ({ ...row, filter: () => inDomain(names.path(row.filter(tag)), domain) }))
    .filter((row) => isFilterHolding(row, storedOf(users), tag, definitions))
    .map(({ filter, selects }) => ({ filter: filter(), selects }))
}

async function expectSelected({ matches }: Asked, rows: readonly HoldingRow[]): Promise<void> {
  if (rows.length === 0)
    skip('The server does not have the values or the letter case of the filter.')
  for (const { filter, selects } of rows) {
    expectEqual(await matches(filter), selects, `the users that ${filter} selects`)
  }
}

/** The shared users as the server stored them: it is free to alter or ignore what it was sent (RFC 7644 §3.3). */
export function storedOf({ ada, bob, eve }: People): SentPeople {
  const stored = ({ sent, body }: Created) => ({ ...body, ...pick(sent, body) })
  return { ada: stored(ada), bob: stored(bob), eve: stored(eve) }
}

/** The sent members missing in the response: a server does not have to return them. */
function pick(sent: JsonObject, body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !Object.hasOwn(body, name)))
}

/** Writes a userName as filters do. */
export function nameOf({ sent }: Created): string {
  return JSON.stringify(sent.userName)
}

/** The shared users' tag: their userNames start with it and a period. */
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

/** Builds a filter that selects only these users. */
export function anyOf(...users: readonly Created[]): string {
  return users.map((one) => `userName eq ${nameOf(one)}`).join(' or ')
}
