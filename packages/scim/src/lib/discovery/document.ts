import { LIST_RESPONSE_SCHEMA } from '../constants.ts'
import type { DocumentOptions } from '../schema/types.ts'

/** A JSON object for a response. */
export type Document = Record<string, unknown>

/** Builds a document's `meta`. `path` is below the base address. */
export function buildMeta(
  resourceType: string,
  path: string,
  { base = '' }: DocumentOptions,
): Document {
  return { resourceType, location: `${base.endsWith('/') ? base.slice(0, -1) : base}${path}` }
}

/** Builds the list with all documents of a kind, on one page (RFC 7644 §4). */
export function buildList(resources: readonly Document[]): Document {
  return {
    schemas: [LIST_RESPONSE_SCHEMA],
    totalResults: resources.length,
    itemsPerPage: resources.length,
    startIndex: 1,
    Resources: resources,
  }
}
