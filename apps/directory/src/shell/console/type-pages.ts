import { createRoutes, get } from '@remix-run/fetch-router/routes'
import type { ResourceType } from '../../kernel/resources/resource-type.ts'
import { RESOURCE_TYPES } from '../../kernel/resources/resource-types.ts'
import { CONSOLE_PATH } from './routes.ts'

/** The pages for a type's resources. */
export interface TypePage {
  readonly type: ResourceType
  /** The heading for the resources, such as `Users`. */
  readonly title: string
  /** The resource in a sentence, such as `user`. */
  readonly noun: string
  readonly routes: TypeRoutes
}

type TypeRoutes = ReturnType<typeof routesOf>

/** Returns a resource type's pages by name; null for an unknown type. */
export function pageOf(name: string | null): TypePage | null {
  return TYPE_PAGES.find(({ type }) => type.name === name) ?? null
}

function routesOf({ endpoint }: ResourceType) {
  // Each type's routes have the same parameters, so one literal path is the type for all.
  const path = `/tenants/:tenantId${endpoint.toLowerCase()}` as '/tenants/:tenantId/resources'
  return createRoutes(CONSOLE_PATH, { list: get(path), one: get(`${path}/:id`) })
}

/** Every resource type's pages, in navigation order. */
export const TYPE_PAGES: readonly TypePage[] = RESOURCE_TYPES.map((type) => ({
  type,
  title: type.endpoint.slice(1),
  noun: type.name.toLowerCase(),
  routes: routesOf(type),
}))
