import { ENTERPRISE_USER_SCHEMA, GROUP_SCHEMA, USER_SCHEMA } from '@plumbline/scim'
import type { Discovery } from '@plumbline/scim/discovery'
import { isJsonObject, type JsonObject, objectsOf } from '../json.ts'
import type { ExaminedType } from './types.ts'

/**
 * Reads the resource types of a document. Without a usable document, the types are the users and groups of RFC 7643 at
 * their usual paths.
 */
export function readTypes(
  document: unknown,
  schemas: ReadonlyMap<string, Discovery.SchemaDefinition>,
): readonly ExaminedType[] {
  const list = isJsonObject(document) ? objectsOf(document.Resources) : objectsOf(document)
  const types = list.flatMap((one) => readType(one, schemas))
  return types.length > 0 ? types : USUAL.flatMap((one) => readType(one, schemas))
}

function readType(
  { name, id, endpoint, schema, schemaExtensions }: JsonObject,
  schemas: ReadonlyMap<string, Discovery.SchemaDefinition>,
): ExaminedType[] {
  if (typeof endpoint !== 'string' || typeof schema !== 'string') return []
  const core = schemas.get(schema)
  if (core === undefined) return []
  const extensions = objectsOf(schemaExtensions).flatMap((one) =>
    typeof one.schema === 'string' ? [{ schema: one.schema, required: one.required === true }] : [],
  )
  const definitions: Record<string, Discovery.SchemaDefinition> = { [schema]: core }
  for (const extension of extensions) {
    const definition = schemas.get(extension.schema)
    if (definition !== undefined) definitions[extension.schema] = definition
  }
  const path = endpoint.startsWith('/') ? endpoint : `/${endpoint}`
  return [{ name: String(name ?? id), endpoint: path, schema, extensions, definitions }]
}

const USUAL: readonly JsonObject[] = [
  {
    name: 'User',
    endpoint: '/Users',
    schema: USER_SCHEMA,
    schemaExtensions: [{ schema: ENTERPRISE_USER_SCHEMA, required: false }],
  },
  { name: 'Group', endpoint: '/Groups', schema: GROUP_SCHEMA },
]
