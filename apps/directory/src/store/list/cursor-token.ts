import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import { fold, type Scim, ScimError } from '@plumbline/scim'
import type { Place } from '@plumbline/scim/endpoint'
import { stringifyFilter } from '@plumbline/scim/filter'
import { sql } from '@plumbline/scim/sql'
import { type Database, readRow } from '../database.ts'

/** The query of a cursor: a cursor is not valid for another tenant, resource type, filter or order. */
export interface CursorScope {
  readonly db: Database
  readonly tenantId: string
  readonly type: string
  readonly query: Scim.ListQuery
  readonly now: number
}

/** The lifetime of a cursor, in seconds. */
export const CURSOR_TIMEOUT = 3_600

/**
 * Signs a place; the cursor contains only unreserved characters of RFC 3986 §2.3 (RFC 9865 §2).
 *
 * A cursor must fit into a URL: a sort key of more than 500 bytes is replaced by its hash.
 */
export async function writeCursor(
  scope: CursorScope,
  { isForward, isInclusive, id, key }: Place,
): Promise<string> {
  const text = JSON.stringify(key)
  const position = [scope.now, isForward, isInclusive, id] as const
  const written: Content =
    Buffer.byteLength(text) <= LONGEST_KEY ? [...position, key] : [...position, null, digest(text)]
  const content = Buffer.from(JSON.stringify(written))
  return Buffer.concat([await sign(scope, content), content]).toString('base64url')
}

/**
 * Returns the place of a cursor, or null for an empty cursor, which requests the first page.
 *
 * `keyOf` reads the sort key of a resource by its id; null if it does not exist. It is called only if the
 * cursor contains the hash of the key. If the key has changed, the cursor is `400 expiredCursor`.
 */
export async function readCursor(
  scope: CursorScope,
  keyOf: (id: string) => Promise<Place['key']>,
): Promise<Place | null> {
  const { cursor = '' } = scope.query
  if (cursor === '') return null
  const bytes = Buffer.from(cursor, 'base64url')
  const content = bytes.subarray(SIGNATURE_LENGTH)
  const isWhole = bytes.length > SIGNATURE_LENGTH && bytes.toString('base64url') === cursor
  const signature = await sign(scope, content)
  if (!isWhole || !timingSafeEqual(bytes.subarray(0, SIGNATURE_LENGTH), signature)) {
    throw new ScimError(400, 'the cursor belongs to another query', {
      scimType: 'invalidCursor',
    })
  }
  // The signature proves that `writeCursor` wrote the content.
  const [time, isForward, isInclusive, id, key, keyHash] = JSON.parse(content.toString()) as Content
  if (scope.now - time > CURSOR_TIMEOUT * 1_000) {
    throw expiredCursor(`the cursor is older than ${CURSOR_TIMEOUT} seconds`)
  }
  if (keyHash === undefined) return { isForward, isInclusive, id, key }
  const current = await keyOf(id)
  if (digest(JSON.stringify(current)) !== keyHash) {
    throw expiredCursor('the resource at which the page begins was changed or deleted')
  }
  return { isForward, isInclusive, id, key: current }
}

type Content = [
  time: number,
  isForward: boolean,
  isInclusive: boolean,
  id: string,
  key: Place['key'],
  keyHash?: string,
]

function expiredCursor(detail: string): ScimError {
  return new ScimError(400, detail, { scimType: 'expiredCursor' })
}

function digest(text: string): string {
  return hash('sha256', text, 'base64url')
}

async function sign(scope: CursorScope, content: Buffer): Promise<Buffer> {
  const { tenantId, type, query } = scope
  const { filter, sortBy, sortOrder } = query
  const order = sortBy === undefined ? null : [fold(sortBy), sortOrder]
  const bound = [FORMAT, tenantId, type, filter ? stringifyFilter(filter) : null, order]
  return createHmac('sha256', await signingKey(scope.db))
    .update(`${JSON.stringify(bound)}\n`)
    .update(content)
    .digest()
}

/** The signing key of the database, read once for each connection. */
async function signingKey(db: Database): Promise<string> {
  const known = keys.get(db)
  if (known !== undefined) return known
  const row = await readRow<{ readonly value: string }>(
    db,
    sql`select value from settings where name = 'cursor_key'`,
  )
  if (row === null) throw new Error('cursor_key is missing in the settings of the database')
  keys.set(db, row.value)
  return row.value
}

const keys = new WeakMap<Database, string>()
const SIGNATURE_LENGTH = 32
/** The maximum sort key in a cursor, in bytes of JSON. */
const LONGEST_KEY = 500
/** The version of the cursor's content. It is incremented with each change of its shape. */
const FORMAT = 2
