import { resourceTypes } from '../discovery/resource-types.ts'
import { schemas } from '../discovery/schemas.ts'
import { serviceProviderConfig } from '../discovery/service-provider-config.ts'
import { ScimError } from '../error.ts'
import type { ServiceProviderConfigOptions } from '../schema/types.ts'
import { fold } from '../values/fold.ts'
import type { Answer, RequestFacts } from './core/exchange.ts'
import type { Limits } from './options/limits.ts'
import { definitionsFor, type ServedType } from './options/resource-type.ts'

/** The descriptions in the ServiceProviderConfig the endpoint cannot know (RFC 7643 §5). */
export type Description = Pick<
  ServiceProviderConfigOptions,
  'documentationUri' | 'authenticationSchemes' | 'changePassword' | 'securityEvents'
>

/** An endpoint's discovery documents (RFC 7644 §4). */
export interface Documents {
  readonly configuration: Answering
  readonly resourceTypes: Answering
  readonly schemas: Answering
}

type Answering = (exchange: RequestFacts) => Promise<Answer>

/** Creates an endpoint's discovery documents. */
export function createDocuments(
  types: readonly ServedType<never>[],
  limits: Limits,
  description: Description,
): Documents {
  const configuration = { ...description, ...featuresOf(types, limits) }
  const described = types.map(describe)
  const answering =
    (find: (exchange: RequestFacts) => object): Answering =>
    async (exchange) => {
      // RFC 7644 §4: these endpoints reject a filter.
      if (new URLSearchParams(exchange.query).has('filter')) {
        throw new ScimError(403, 'this endpoint does not support filters')
      }
      return { status: 200, headers: {}, body: find(exchange) }
    }
  return {
    configuration: answering(({ base, profile }) => ({
      ...profile.declare,
      ...serviceProviderConfig({ ...configuration, base }),
    })),
    resourceTypes: answering(({ id, base }) =>
      pickDocument(resourceTypes(described, { base }), id, 'resource type'),
    ),
    schemas: answering(({ id, base, profile }) =>
      pickDocument(schemas(definitionsFor(types, profile), { base }), id, 'schema'),
    ),
  }
}

function featuresOf(
  types: readonly ServedType<never>[],
  { maxCount, defaultCount, bulkOperations, body }: Limits,
): ServiceProviderConfigOptions {
  const timeouts = types.flatMap(({ store }) => store.cursors?.timeout ?? [])
  const pagination = {
    cursor: true,
    index: true,
    defaultPaginationMethod: 'index',
    defaultPageSize: defaultCount,
    maxPageSize: maxCount,
    ...(timeouts.length === 0 ? {} : { cursorTimeout: Math.min(...timeouts) }),
  } as const
  return {
    patch: true,
    bulk: { supported: true, maxOperations: bulkOperations, maxPayloadSize: body },
    filter: { supported: true, maxResults: maxCount },
    sort: true,
    etag: true,
    pagination,
  }
}

function describe({ name, description, endpoint, core, ...type }: ServedType<never>) {
  const { extensions, requiredExtensions = [] } = type
  const described = extensions.map((schema) => ({
    schema,
    required: requiredExtensions.includes(schema),
  }))
  return { id: name, description, endpoint, schema: core, extensions: described }
}

/** The whole list, or the document with the id, in any letter case. */
function pickDocument(list: Record<string, unknown>, id: string, kind: string): object {
  if (id === '') return list
  const documents: readonly unknown[] = Array.isArray(list.Resources) ? list.Resources : []
  const found = documents.find((one) => fold(String(Object(one).id)) === fold(id))
  if (found === undefined) throw new ScimError(404, `${kind} ${id} not found`)
  return Object(found)
}
