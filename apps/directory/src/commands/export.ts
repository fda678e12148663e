import { createWorkBudget, RawJson } from '@plumbline/scim'
import { type ListRequest, PreparedResource } from '@plumbline/scim/endpoint'
import { innerContext } from '../features/scim/context.ts'
import { endpointStore } from '../features/scim/stores.ts'
import { lookUpSchemas } from '../features/scim/tenant-schemas.ts'
import { findTenant } from '../kernel/access/tenant-store.ts'
import type { Store } from '../kernel/store/store.ts'

/** Options for an export. */
export interface ExportOptions {
  readonly store: Store
  readonly tenantId: string
  /** The base URL in resource locations. */
  readonly base: string
  readonly now: () => number
  /** Writes lines, and resolves when the reader has taken them. */
  readonly write: (lines: string) => Promise<void>
}

/**
 * Writes each resource in a tenant as a JSON line: the users, then the groups with their members. It reads
 * pages by cursor, so memory does not depend on the number of resources. A resource created or deleted
 * meanwhile may be missing. Returns how many were written; null if the tenant does not exist.
 */
export async function exportResources(options: ExportOptions): Promise<number | null> {
  const { store, tenantId } = options
  if (!(await store.read((db) => findTenant(db, tenantId)))) return null
  let count = 0
  const schemas = await lookUpSchemas(tenantId, store, options.now())
  const context = innerContext({ ...options, schemas })
  for (const type of schemas.types) {
    let cursor: string | undefined = ''
    while (cursor !== undefined) {
      const page = await endpointStore(type).list(context, pageRequest(options, cursor))
      for (const resource of page.resources) await options.write(`${textOf(resource)}\n`)
      count += page.resources.length
      cursor = page.nextCursor
    }
  }
  return count
}

function pageRequest({ base }: ExportOptions, cursor: string): ListRequest {
  return {
    base,
    budget: createWorkBudget(),
    signal: new AbortController().signal,
    view: { needs: () => true },
    filter: null,
    sortBy: null,
    sortOrder: 'ascending',
    startIndex: 1,
    count: PAGE,
    cursor,
    complete: (resource) => resource,
  }
}

function textOf(resource: unknown): string {
  if (!(resource instanceof PreparedResource)) return JSON.stringify(resource)
  const { body } = resource
  return body instanceof RawJson ? body.text : body.join('')
}

const PAGE = 500
