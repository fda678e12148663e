import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Scim, ScimError } from '@plumbline/scim'
import { stringifyFilter } from '@plumbline/scim/filter'
import type { Database, DatabaseAdapter } from '@remix-run/data-table'
import { equals } from './list.ts'
import { settings } from './tables.ts'

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

/** Signs a place; the text is made of the unreserved characters of RFC 3986 §2.3 (RFC 9865 §2). */
export async function writeCursor(scope: CursorScope, place: Place): Promise<string> {
  const { isForward, isInclusive, id, key } = place
  const content = Buffer.from(JSON.stringify([scope.now, isForward, isInclusive, id, key]))
  return Buffer.concat([await signatureOf(scope, content), content]).toString('base64url')
}

/** The place that a cursor names; null of the empty one, with which the first page is asked for. */
export async function readCursor(scope: CursorScope): Promise<Place | null> {
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
  const [time, isForward, isInclusive, id, key] = JSON.parse(content.toString()) as Content
  if (scope.now - time > CURSOR_TIMEOUT * 1_000) {
    throw new ScimError(400, `the cursor is older than ${CURSOR_TIMEOUT} seconds`, {
      scimType: 'expiredCursor',
    })
  }
  return { isForward, isInclusive, id, key }
}

type Content = [time: number, isForward: boolean, isInclusive: boolean, id: string, key: unknown]

async function signatureOf(scope: CursorScope, content: Buffer): Promise<Buffer> {
  const { tenantId, type, query } = scope
  const { filter, sortBy, sortOrder } = query
  const order = sortBy === undefined ? null : [sortBy.toLowerCase(), sortOrder]
  const bound = [FORMAT, tenantId, type, filter ? stringifyFilter(filter) : null, order]
  return createHmac('sha256', await keyOf(scope.db))
    .update(`${JSON.stringify(bound)}\n`)
    .update(content)
    .digest()
}

/** The key of the database, read once over each connection. */
async function keyOf(db: Database): Promise<string> {
  const known = keys.get(db.adapter)
  if (known !== undefined) return known
  const row = await db.findOne(settings, { where: equals('name', 'cursor_key') as never })
  if (row === null) throw new Error('the settings of the database have no cursor_key')
  keys.set(db.adapter, String(row.value))
  return String(row.value)
}

const keys = new WeakMap<DatabaseAdapter, string>()
const SIGNATURE_LENGTH = 32
/** Goes up with the shape of the content, so that no cursor of another shape is read. */
const FORMAT = 1
