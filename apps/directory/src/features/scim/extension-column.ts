import { ScimError } from '@plumbline/scim'
import type { Discovery } from '@plumbline/scim/discovery'
import type { WireResource } from './list/list.ts'

/** The column with the extensions a tenant has registered, as JSON by URN. */
export interface ExtensionColumn {
  /** Divides a resource's attributes into the column's extensions, and the others. */
  split(resource: WireResource): {
    readonly rest: WireResource
    readonly extensions: string | null
  }
  /** Adds the column's extensions to a resource. It drops attributes the schemas do not define. */
  merge(resource: WireResource, extensions: string | null | undefined): WireResource
}

/** The SQL for the column's size, in bytes. */
export const EXTENSIONS_SIZE = 'coalesce(octet_length(extensions), 0)'

/** Creates the column for a tenant's extensions; null if it has not registered one for the resource type. */
export function createExtensionColumn(
  type: string,
  schemas: readonly Discovery.SchemaDefinition[],
): ExtensionColumn | null {
  if (schemas.length === 0) return null
  const byUrn = new Map(schemas.map((schema) => [schema.id, namesIn(schema.attributes)]))
  return {
    split: (resource) => {
      const entries = Object.entries(resource)
      const own = entries.filter(([name]) => byUrn.has(name))
      if (own.length === 0) return { rest: resource, extensions: null }
      const listed: readonly unknown[] = Array.isArray(resource.schemas) ? resource.schemas : []
      const rest = Object.fromEntries(entries.filter(([name]) => !byUrn.has(name)))
      const others = listed.filter((urn) => typeof urn !== 'string' || !byUrn.has(urn))
      return {
        rest: { ...rest, ...(others.length === 0 ? {} : { schemas: others }) },
        extensions: stringify(type, Object.fromEntries(own)),
      }
    },
    merge: (resource, text) => {
      if (text === null || text === undefined) return resource
      const stored: Readonly<Record<string, unknown>> = JSON.parse(text)
      const known = Object.entries(stored).flatMap(([urn, value]): [string, unknown][] => {
        const names = byUrn.get(urn)
        return names === undefined ? [] : [[urn, pick(value, names)]]
      })
      const listed: readonly unknown[] = Array.isArray(resource.schemas) ? resource.schemas : []
      const schemas = [...listed, ...known.map(([urn]) => urn)]
      return { ...resource, schemas, ...Object.fromEntries(known) }
    },
  }
}

/**
 * Rejects a write by a server process that does not know the tenant's extensions yet: it would lose the
 * resource's extensions.
 */
export function requireKnownExtensions(
  column: ExtensionColumn | null | undefined,
  { extensions }: { readonly extensions?: string | null },
): void {
  if (!column && typeof extensions === 'string') throw schemasChanged()
}

/** The error for a write while the tenant's schemas change. */
export function schemasChanged(): ScimError {
  return new ScimError(503, 'the schemas of the tenant have changed: retry the request')
}

/** Attribute names, each with its sub-attribute names; null for a simple attribute. */
type Names = ReadonlyMap<string, Names | null>

function namesIn(attributes: readonly Discovery.Attribute[]): Names {
  return new Map(
    attributes.map(({ name, subAttributes }) => [
      name,
      subAttributes === undefined ? null : namesIn(subAttributes),
    ]),
  )
}

/** Returns the value with only the named members. Another process may know newer attributes, which may be secrets. */
function pick(value: unknown, names: Names | null): unknown {
  if (names === null) return value
  if (Array.isArray(value)) return value.map((one) => pick(one, names))
  const members = Object.entries(Object(value)).flatMap(([name, member]): [string, unknown][] => {
    const parts = names.get(name)
    return parts === undefined ? [] : [[name, pick(member, parts)]]
  })
  return Object.fromEntries(members)
}

function stringify(type: string, extensions: WireResource): string {
  const text = JSON.stringify(extensions)
  if (Buffer.byteLength(text) <= MAX_EXTENSIONS_BYTES) return text
  const limit = `${MAX_EXTENSIONS_BYTES / 2 ** 10} KiB`
  throw new ScimError(
    413,
    `the extensions of the ${type.toLowerCase()} would be larger than ${limit}`,
  )
}

/** The maximum JSON size of a resource's registered extensions: a schema change reads many of them. */
const MAX_EXTENSIONS_BYTES = 256 * 2 ** 10
