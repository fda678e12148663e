import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import { type Scim, ScimError } from '@plumbline/scim'
import { stringifyFilter } from '@plumbline/scim/filter'
import type { Database, DatabaseAdapter } from '@remix-run/data-table'
import { settings } from '../tables.ts'
import { equals } from './list.ts'

/** Where a page begins: before or after a resource, which need not be there any more. */
export interface Place {
  /** Whether the page goes on from the place, or ends at it. */
  readonly isForward: boolean
  /** Whether the resource at the place is part of the page. */
  readonly isInclusive: boolean
  /** The id of the resource. */
  readonly id: string
  /** What the resource is sorted by; null of what is sorted by its id alone. */
  readonly key: unknown
}

/** Whose cursors they are: none is good for another tenant, resource type, filter or order. */
export interface CursorScope {
  readonly db: Database
  readonly tenantId: string
  readonly type: string
  readonly query: Scim.ListQuery
  readonly now: number
}

/** For how many seconds a cursor can be used. */
export const CURSOR_TIMEOUT = 3_600

/**
 * Signs a place; the text is made of the unreserved characters of RFC 3986 §2.3 (RFC 9865 §2).
 *
 * A cursor has to fit a URL: a key that is longer than 500 bytes is replaced by its hash.
 */
export async function writeCursor(
  scope: CursorScope,
  { isForward, isInclusive, id, key }: Place,
): Promise<string> {
  const text = JSON.stringify(key)
  const place = [scope.now, isForward, isInclusive, id] as const
  const written: Content =
    Buffer.byteLength(text) <= LONGEST_KEY ? [...place, key] : [...place, null, hashOf(text)]
  const content = Buffer.from(JSON.stringify(written))
  return Buffer.concat([await signatureOf(scope, content), content]).toString('base64url')
}

/**
 * Returns the place that a cursor names, or null if the cursor is empty, which asks for the first page.
 *
 * `keyOf` reads the key of a resource by its id, null if it does not exist. It is called if the cursor
 * has the hash of the key only. A resource that has another key by now is `400 expiredCursor`.
 */
export async function readCursor(
  scope: CursorScope,
  keyOf: (id: string) => Promise<unknown>,
): Promise<Place | null> {
  const { cursor = '' } = scope.query
  if (cursor === '') return null
  const bytes = Buffer.from(cursor, 'base64url')
  const content = bytes.subarray(SIGNATURE_LENGTH)
  const isWhole = bytes.length > SIGNATURE_LENGTH && bytes.toString('base64url') === cursor
  const signature = await signatureOf(scope, content)
  if (!isWhole || !timingSafeEqual(bytes.subarray(0, SIGNATURE_LENGTH), signature)) {
    throw new ScimError(400, 'the cursor was not given out for this query', {
      scimType: 'invalidCursor',
    })
  }
  // The signature says that the content is what `writeCursor` wrote.
  const [time, isForward, isInclusive, id, key, keyHash] = JSON.parse(content.toString()) as Content
  if (scope.now - time > CURSOR_TIMEOUT * 1_000) {
    throw expired(`the cursor is older than ${CURSOR_TIMEOUT} seconds`)
  }
  if (keyHash === undefined) return { isForward, isInclusive, id, key }
  const current = await keyOf(id)
  if (hashOf(JSON.stringify(current)) !== keyHash) {
    throw expired('the resource at which the page begins was changed or deleted')
  }
  return { isForward, isInclusive, id, key: current }
}

type Content = [
  time: number,
  isForward: boolean,
  isInclusive: boolean,
  id: string,
  key: unknown,
  keyHash?: string,
]

function expired(detail: string): ScimError {
  return new ScimError(400, detail, { scimType: 'expiredCursor' })
}

function hashOf(text: string): string {
  return hash('sha256', text, 'base64url')
}

async function signatureOf(scope: CursorScope, content: Buffer): Promise<Buffer> {
  const { tenantId, type, query } = scope
  const { filter, sortBy, sortOrder } = query
  const order = sortBy === undefined ? null : [sortBy.toLowerCase(), sortOrder]
  const bound = [FORMAT, tenantId, type, filter ? stringifyFilter(filter) : null, order]
  return createHmac('sha256', await signingKey(scope.db))
    .update(`${JSON.stringify(bound)}\n`)
    .update(content)
    .digest()
}

/** The key of the database, read once over each connection. */
async function signingKey(db: Database): Promise<string> {
  const known = keys.get(db.adapter)
  if (known !== undefined) return known
  const row = await db.findOne(settings, { where: equals('name', 'cursor_key') as never })
  if (row === null) throw new Error('the settings of the database have no cursor_key')
  keys.set(db.adapter, String(row.value))
  return String(row.value)
}

const keys = new WeakMap<DatabaseAdapter, string>()
const SIGNATURE_LENGTH = 32
/** In bytes of JSON. */
const LONGEST_KEY = 500
/** Goes up with the shape of the content, so that no cursor of another shape is read. */
const FORMAT = 1
