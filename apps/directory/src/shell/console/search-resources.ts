import type { ConsoleContext } from './context.ts'

/** A query for a tenant's SCIM endpoint. */
export interface ResourceQuery {
  readonly tenantId: string
  /** The resource type's path, such as `/Users`. */
  readonly endpoint: string
  /** A SCIM filter (RFC 7644 §3.4.2.2). */
  readonly filter?: string | undefined
  readonly sortBy?: string | undefined
  /** The page's position, from the preceding page (RFC 9865 §2); the first page by default. */
  readonly cursor?: string | undefined
  readonly attributes?: readonly string[]
  readonly excludedAttributes?: readonly string[]
}

/** A resource page, or why the endpoint rejected the query. */
export interface ResourcePage {
  readonly resources: readonly Resource[]
  readonly nextCursor: string | undefined
  /** The SCIM error's status and detail; null for a page. */
  readonly fault: { readonly status: number; readonly detail: string } | null
}

/** A resource as JSON. */
export type Resource = Readonly<Record<string, unknown>>

/** Reads a resource page. */
export async function searchResources(
  { scim }: Pick<ConsoleContext, 'scim'>,
  { tenantId, endpoint, cursor = '', ...query }: ResourceQuery,
): Promise<ResourcePage> {
  const parameters = new URLSearchParams({ cursor, count: String(RESOURCES_IN_PAGE) })
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value))
  }
  const response = await scim(tenantId, `${endpoint}?${parameters}`)
  const body: Resource = await response.json()
  if (response.status !== 200) {
    const { status } = response
    return {
      resources: [],
      nextCursor: undefined,
      fault: { status, detail: stringOf(body.detail) },
    }
  }
  const { Resources: resources, nextCursor } = body
  return {
    resources: Array.isArray(resources) ? resources : [],
    nextCursor: typeof nextCursor === 'string' ? nextCursor : undefined,
    fault: null,
  }
}

/** Returns a resource's value if it is a string, else an empty string. */
export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** How many resources a console page shows. */
export const RESOURCES_IN_PAGE = 50
