import type { Check } from '../../check.ts'
import type { JsonObject } from '../../json.ts'
import { findVocabulary } from '../../model/vocabulary.ts'
import type { FilterRow } from '../../rows/filter-row.ts'
import { isFilterHolding, type SentPeople } from '../../rows/holding.ts'
import { renamingOf } from '../../rows/renaming.ts'
import { expectEqual } from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'
import type { Created, People, Server } from '../../toolkit/server.ts'

/** A check that a filter selects some of the shared users. */
export interface Selecting extends Omit<Check, 'run'> {
  /** The filter, and the users that it selects. */
  readonly row: FilterRow
  /** A filter with the same operator and a text from another place of the value. It does not select a user. */
  readonly misplaced?: FilterRow
  /** Rows for servers without the values of the row, such as those with one address. The first that holds is used. */
  readonly otherwise?: readonly FilterRow[]
  /** Whether the filter is another spelling of one the server supports, so that it must be supported, too. */
  readonly isRequired?: boolean
}

/** Creates the check. It is skipped if the server does not even find a user by its userName. */
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

/** Throws unless the filter of each row selects its users. Rows about values that no user could be sent are skipped. */
export async function expectRows(server: Asked, ...rows: readonly FilterRow[]): Promise<void> {
  await expectSelected(server, await holdingRows(server, rows))
}

/** The same of the first row about values that the users have, and then of the misplaced one. */
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

/** The rows with the attributes of the server, as far as they fit the users as it stored them. */
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
