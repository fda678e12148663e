import type { ListRequest } from '../../endpoint/store.ts'
import { badRequest } from '../../error.ts'
import { stringifyFilter } from '../../filter/stringify.ts'
import { isJsonObject } from '../../json.ts'
import { digestOf } from '../../resource/version.ts'

/** The position of a page: after an id, or after a number of resources. */
export type CursorPosition = { readonly after: string } | { readonly skip: number }

/** Writes the cursor of a page. It is bound to the filter and the order of the request. */
export async function writeCursor(request: ListRequest, position: CursorPosition): Promise<string> {
  return toBase64Url(JSON.stringify({ ...position, query: await queryDigest(request) }))
}

/** Reads the cursor of a request; null for the first page. Throws `400 invalidCursor`. */
export async function readCursor(request: ListRequest): Promise<CursorPosition | null> {
  const { cursor } = request
  if (cursor === null || cursor === '') return null
  const read = parse(cursor)
  if (read === null || read.query !== (await queryDigest(request))) {
    throw badRequest('invalidCursor', 'the cursor is not valid for this query')
  }
  const { after, skip } = read
  if (typeof after === 'string') return { after }
  if (typeof skip === 'number' && Number.isSafeInteger(skip) && skip >= 0) return { skip }
  throw badRequest('invalidCursor', 'the cursor is not valid')
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

async function queryDigest({ filter, sortBy, sortOrder }: ListRequest): Promise<string> {
  const text = JSON.stringify([filter && stringifyFilter(filter), sortBy, sortOrder])
  return (await digestOf(text)).slice(0, 16)
}

function toBase64Url(text: string): string {
  const units = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte))
  return btoa(units.join('')).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

const MOST_UNITS = 4_000
