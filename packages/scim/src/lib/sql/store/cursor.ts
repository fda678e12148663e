import type { ListRequest } from '../../endpoint/store.ts'
import { badRequest } from '../../error.ts'
import { stringifyFilter } from '../../filter/stringify.ts'
import { isJsonObject } from '../../json.ts'
import type { Place, Position } from '../../list/position.ts'
import { digestOf } from '../../resource/version.ts'

/** Where a page starts or ends, and where the list is sorted. */
export interface Cursor extends Place {
  /**
   * Whether the list is sorted in memory. The next pages are sorted in the same place as the first one, because the
   * database folds fewer letters.
   */
  readonly isInMemory: boolean
}

/** The query that a cursor is bound to. */
export interface CursorQuery extends Pick<ListRequest, 'filter' | 'sortBy' | 'sortOrder'> {
  readonly table: string
}

/** Writes the cursor of a page. A long sort key is replaced by its digest, because a cursor must fit into a URL. */
export async function writeCursor(
  query: CursorQuery,
  { id, key, isForward, isInclusive, isInMemory }: Cursor,
): Promise<string> {
  const isLong =
    typeof key === 'string' && new TextEncoder().encode(JSON.stringify(key)).length > MOST_OF_KEY
  return toBase64Url(
    JSON.stringify({
      id,
      ...(isLong ? { digest: await shortDigest(key) } : { key }),
      ...(!isForward && { isBackward: true }),
      ...(isInclusive && { isInclusive }),
      ...(isInMemory && { isInMemory }),
      query: await queryDigest(query),
    }),
  )
}

/** A cursor as it was sent. The client may have changed it. */
export interface SentCursor {
  readonly isInMemory: boolean
  /**
   * Returns the place. `keyOf` reads the current sort key of a resource by its id; undefined if it does not exist.
   * It is called only if the cursor contains a digest. If the key has changed, it throws `400 expiredCursor`.
   */
  place(keyOf: (id: string) => Promise<Position['key'] | undefined>): Promise<Place>
}

/** Reads a cursor; null for the first page. Throws `400 invalidCursor`. */
export async function readCursor(query: CursorQuery, cursor: string): Promise<SentCursor | null> {
  if (cursor === '') return null
  const sent = parse(cursor)
  const { id, key = null, isBackward, isInclusive, isInMemory, digest } = sent ?? {}
  if (sent === null || sent.query !== (await queryDigest(query)) || typeof id !== 'string') {
    throw invalidCursor('the cursor is not valid for this query')
  }
  if (!isKey(key)) throw invalidCursor('the cursor is not valid')
  const side = { isForward: isBackward !== true, isInclusive: isInclusive === true }
  return {
    isInMemory: isInMemory === true,
    place: async (keyOf) => {
      if (digest === undefined) return { id, key, ...side }
      const current = await keyOf(id)
      if (typeof current === 'string' && (await shortDigest(current)) === digest) {
        return { id, key: current, ...side }
      }
      throw badRequest('expiredCursor', 'the resource after which the page begins was changed')
    },
  }
}

/** The error for a cursor that the store did not write. */
export function invalidCursor(detail: string): Error {
  return badRequest('invalidCursor', detail)
}

function isKey(value: unknown): value is Position['key'] {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

function parse(cursor: string): Record<string, unknown> | null {
  if (cursor.length > MOST_UNITS) return null
  try {
    const bytes = Uint8Array.from(atob(cursor.replaceAll('-', '+').replaceAll('_', '/')), (unit) =>
      unit.charCodeAt(0),
    )
    const read: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return isJsonObject(read) ? read : null
  } catch {
    return null
  }
}

async function queryDigest({ table, filter, sortBy, sortOrder }: CursorQuery): Promise<string> {
  const text = JSON.stringify([table, filter && stringifyFilter(filter), sortBy, sortOrder])
  return await shortDigest(text)
}

async function shortDigest(text: string): Promise<string> {
  return (await digestOf(text)).slice(0, 16)
}

function toBase64Url(text: string): string {
  const units = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte))
  return btoa(units.join('')).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

const MOST_UNITS = 4_000
/** The longest sort key in a cursor, in bytes of JSON. */
const MOST_OF_KEY = 500
