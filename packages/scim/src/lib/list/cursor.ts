import { badRequest } from '../error.ts'
import { stringifyFilter } from '../filter/stringify.ts'
import type { Expression } from '../filter/tree.ts'
import { isJsonObject } from '../json.ts'
import { digestOf } from '../resource/version.ts'
import { fold } from '../values/fold.ts'
import type { Place, Position } from './position.ts'

/** How a store's cursors are protected. */
export interface CursorOptions {
  /**
   * Signs a string, such as with an HMAC. The signature has only URL-unreserved characters. By default, cursors are not
   * signed: a client may request any position in the list.
   */
  readonly sign?: ((text: string) => string | Promise<string>) | undefined
  /** How long (s) a cursor is valid. Unlimited by default. */
  readonly timeout?: number | undefined
}

/** The query to which a cursor is bound. */
export interface CursorQuery extends CursorOptions {
  /** The list's names, such as the tenant and the table. */
  readonly list: readonly string[]
  /** The filter; null without one. */
  readonly filter: Expression | null
  /** The sort path; null without one. */
  readonly sortBy: string | null
  /** The order of `sortBy`. */
  readonly sortOrder: 'ascending' | 'descending'
  /** The time in milliseconds since 1970. */
  readonly now: number
}

/** A place, and where the list is sorted. */
export interface Cursor extends Place {
  /**
   * Whether the list is sorted in memory; false by default. The next pages are sorted in the same place as the first
   * one, because a database folds fewer letters.
   */
  readonly isInMemory?: boolean | undefined
}

/**
 * Writes a cursor in URL-unreserved characters. A sort key above 500 bytes is replaced with a digest, because a cursor
 * must fit into a URL.
 *
 * @example
 * ```ts
 * import { readCursor, writeCursor } from '@plumbline/scim/internal'
 *
 * const query = { list: ['users'], filter: null, sortBy: null, sortOrder: 'ascending', now: 0 } as const
 * const place = { id: '7', key: null, isForward: true, isInclusive: false }
 * const sent = await readCursor(query, await writeCursor(query, place))
 * const read = await sent?.place(async () => null)
 * read?.id //=> '7'
 * ```
 * @see RFC 9865 §2
 */
export async function writeCursor(
  query: CursorQuery,
  { id, key, isForward, isInclusive, isInMemory = false }: Cursor,
): Promise<string> {
  const isLong =
    typeof key === 'string' && new TextEncoder().encode(JSON.stringify(key)).length > MAX_KEY_BYTES
  const content = {
    id,
    ...(isLong ? { digest: await shortDigest(key) } : { key }),
    ...(!isForward && { isBackward: true }),
    ...(isInclusive && { isInclusive }),
    ...(isInMemory && { isInMemory }),
    ...(query.timeout !== undefined && { at: query.now }),
  }
  return toBase64Url(JSON.stringify({ ...content, seal: await sealOf(query, content) }))
}

/** A cursor as it was sent. Unless it is signed, the client may have changed it. */
export interface SentCursor {
  /** Whether the list is sorted in memory. */
  readonly isInMemory: boolean
  /**
   * Returns the place. `keyOf` reads the current sort key of the resource with an id; undefined if it does not exist.
   * It is called only if the cursor contains a digest. If the key has changed, it throws `400 expiredCursor`.
   */
  place(keyOf: (id: string) => Promise<Position['key'] | undefined>): Promise<Place>
}

/**
 * Reads a cursor; null for the first page. Throws `400 invalidCursor` if the cursor belongs to another query, and
 * `400 expiredCursor` after its timeout.
 */
export async function readCursor(query: CursorQuery, cursor: string): Promise<SentCursor | null> {
  if (cursor === '') return null
  const { seal, ...content } = parse(cursor) ?? {}
  const { id, key = null, isBackward, isInclusive, isInMemory, digest, at } = content
  if (typeof id !== 'string' || !isSameSeal(seal, await sealOf(query, content))) {
    throw invalidCursor('the cursor is not valid for this query')
  }
  if (!isKey(key)) throw invalidCursor('the cursor is not valid')
  const { timeout, now } = query
  if (timeout !== undefined && !(now - Number(at) <= timeout * 1000)) {
    throw badRequest('expiredCursor', `the cursor is older than ${timeout} seconds`)
  }
  const side = { isForward: isBackward !== true, isInclusive: isInclusive === true }
  return {
    isInMemory: isInMemory === true,
    place: async (keyOf) => {
      if (digest === undefined) return { id, key, ...side }
      const current = await keyOf(id)
      if (typeof current === 'string' && (await shortDigest(current)) === digest) {
        return { id, key: current, ...side }
      }
      const detail = 'the resource at which the page begins was changed or deleted'
      throw badRequest('expiredCursor', detail)
    },
  }
}

/** The error for a cursor the store did not write. */
export function invalidCursor(detail: string): Error {
  return badRequest('invalidCursor', detail)
}

function isKey(value: unknown): value is Position['key'] {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

/** Parses a cursor's members; null if `writeCursor` would spell them differently. */
function parse(cursor: string): Record<string, unknown> | null {
  if (cursor.length > MAX_CODE_UNITS) return null
  try {
    const bytes = Uint8Array.from(atob(cursor.replaceAll('-', '+').replaceAll('_', '/')), (unit) =>
      unit.charCodeAt(0),
    )
    const read: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return isJsonObject(read) && toBase64Url(JSON.stringify(read)) === cursor ? read : null
  } catch {
    return null
  }
}

/** Signs a cursor with its query, or returns the query's digest. */
async function sealOf(
  { list, filter, sortBy, sortOrder, sign }: CursorQuery,
  content: object,
): Promise<string> {
  const order = sortBy === null ? null : [fold(sortBy), sortOrder]
  const query = JSON.stringify([FORMAT, list, filter && stringifyFilter(filter), order])
  if (sign === undefined) return await shortDigest(query)
  return await sign(`${query}\n${JSON.stringify(content)}`)
}

/** Compares in a time that does not depend on where the strings differ. */
function isSameSeal(sent: unknown, seal: string): boolean {
  if (typeof sent !== 'string' || sent.length !== seal.length) return false
  let difference = 0
  for (let at = 0; at < seal.length; at += 1) {
    difference |= sent.charCodeAt(at) ^ seal.charCodeAt(at)
  }
  return difference === 0
}

async function shortDigest(text: string): Promise<string> {
  return (await digestOf(text)).slice(0, 16)
}

function toBase64Url(text: string): string {
  const units = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte))
  return btoa(units.join('')).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** The version of a cursor's content. Increment it with each change to its shape. */
const FORMAT = 2
const MAX_CODE_UNITS = 4_000
/** The longest sort key in a cursor, in bytes of JSON. */
const MAX_KEY_BYTES = 500
