import { isJsonObject } from '../json.ts'
import { type AttributeIndex, attributeIndex } from '../schema/attribute-index.ts'
import {
  ENTERPRISE_USER_DEFINITION,
  GROUP_DEFINITION,
  USER_DEFINITION,
} from '../schema/core-schemas.ts'
import { definitionsFor } from '../schema/definitions-for.ts'
import { bulkIdIn, type CreatedResources, mentionsBulkId, resolveBulkId } from './bulk-ids.ts'
import { type MapReference, mapPatch, mapResource } from './references.ts'
import type { BulkResourceType, Operation } from './types.ts'

/** Returns the attributes an operation body may have. Null if the type is unknown or does not have references. */
export type FindIndex = (operation: Operation) => AttributeIndex | null

/** Finds an operation's resource type from the path. */
export function createFindIndex(types: readonly BulkResourceType[] = STANDARD_TYPES): FindIndex {
  const byEndpoint = new Map(types.map(({ endpoint, definitions }) => [endpoint, definitions]))
  return ({ method, path, data }) => {
    if (!mentionsBulkId(data)) return null
    const parent = path.slice(0, path.lastIndexOf('/'))
    const definitions = byEndpoint.get(path) ?? byEndpoint.get(parent)
    if (definitions === undefined || data === null) return null
    // A PATCH lists the message's schema, not the resource's.
    return attributeIndex(method === 'PATCH' ? definitions : definitionsFor(definitions, data))
  }
}

/** Returns the bulkIds referenced in an operation's body. */
export function bulkIdsInBody(operation: Operation, index: AttributeIndex | null): string[] {
  const found: string[] = []
  mapBody(operation, index, (text, place) => {
    const bulkId = bulkIdIn(text, place)
    if (bulkId !== null) found.push(bulkId)
    return text
  })
  return found
}

/** Replaces the bulkIds in an operation's body with the created resources' ids and URLs. */
export function resolveBody(
  operation: Pick<Operation, 'method' | 'data'>,
  index: AttributeIndex | null,
  created: CreatedResources,
): object | null {
  return mapBody(operation, index, (text, place) => resolveBulkId(text, place, created))
}

function mapBody(
  { method, data }: Pick<Operation, 'method' | 'data'>,
  index: AttributeIndex | null,
  map: MapReference,
): object | null {
  if (index === null || !isJsonObject(data)) return data
  return method === 'PATCH' ? mapPatch(data, index, map) : mapResource(data, index, map)
}

const STANDARD_TYPES: readonly BulkResourceType[] = [
  {
    endpoint: '/Users',
    definitions: {
      [USER_DEFINITION.id]: USER_DEFINITION,
      [ENTERPRISE_USER_DEFINITION.id]: ENTERPRISE_USER_DEFINITION,
    },
  },
  { endpoint: '/Groups', definitions: { [GROUP_DEFINITION.id]: GROUP_DEFINITION } },
]
