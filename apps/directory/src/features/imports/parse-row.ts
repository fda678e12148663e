import { failure, isFailure, type Result, success } from '@plumbline/result'
import { fold, parseResource, ScimError } from '@plumbline/scim'
import type { WireResource } from '@plumbline/scim/endpoint'
import { expressible } from '../../kernel/clock.ts'
import { storable, storableFolded } from '../../kernel/store/column-text.ts'
import type { StoredType } from '../scim/stored-type.ts'
import { contentTagIn } from '../scim/tags.ts'

/** A resource to import. */
export interface Incoming {
  readonly type: StoredType
  /** The id in the source; null without one. */
  readonly sourceId: string | null
  readonly externalId: string | null
  /** The userName or displayName in lower case. */
  readonly name: string
  /** The attributes, named as in the definitions, without those the server sets. */
  readonly content: WireResource
  /** Member names missing from the definitions. */
  readonly unknown: readonly string[]
  readonly meta: SourceMeta
}

/** When a resource was created and changed in its source, in milliseconds since 1970; null if unknown. */
export interface SourceMeta {
  readonly created: number | null
  readonly lastModified: number | null
  /** A group's revision; 1 if the version isn't from this directory. */
  readonly revision: number
  /** A user's entity tag without the digest; undefined if the version isn't from this directory. */
  readonly version: string | undefined
}

/** Parses a source's resource with the resource type's definitions, like a client's request. */
export function parseRow(body: unknown, types: readonly StoredType[]): Result<Incoming, ScimError> {
  const type = typeOf(body, types)
  if (type === null) return failure(WITHOUT_TYPE)
  const parsed = parseResource(type.definitions, withoutReadOnly(body))
  if (isFailure(parsed)) return parsed
  const content = parsed.data
  const missing = type.requiredExtensions?.find((urn) => !Object.hasOwn(content, urn))
  if (missing !== undefined) return failure(invalid(`${missing} is required`))
  const { id, meta }: WireResource = Object(body)
  try {
    return success({
      type,
      sourceId: typeof id === 'string' && id !== '' ? id : null,
      externalId: storable('externalId', content.externalId),
      name: storableFolded(type.naming.attribute, content[type.naming.attribute]) ?? '',
      content,
      unknown: unknownIn(Object(body), content, type),
      meta: metaOf(Object(meta)),
    })
  } catch (error) {
    if (error instanceof ScimError) return failure(error)
    throw error
  }
}

/** Finds the type named in `meta`, or the type whose schema is listed in `schemas`. */
function typeOf(body: unknown, types: readonly StoredType[]): StoredType | null {
  const { meta, schemas }: WireResource = Object(body)
  const { resourceType }: WireResource = Object(meta)
  // Nested lists are not converted to strings: each level would need a place on the stack.
  const listed = Array.isArray(schemas) ? schemas.filter(isString).map(fold) : []
  const has = ({ definitions }: StoredType) =>
    listed.includes(fold(Object.keys(definitions)[0] ?? ''))
  return types.find(({ name }) => name === resourceType) ?? types.find(has) ?? null
}

/** Removes a user's groups, which may be many and are not read. */
function withoutReadOnly(body: unknown): unknown {
  const { groups: _, ...rest }: WireResource = Object(body)
  return rest
}

function unknownIn(body: WireResource, content: WireResource, type: StoredType): string[] {
  const known = new Set([...SERVER_SET, ...Object.keys(content).map(fold)])
  // An unassigned value isn't part of the parsed resource.
  return Object.keys(body).filter(
    (name) => !known.has(fold(name)) && !isDefined(fold(name), type.definitions),
  )
}

function isDefined(folded: string, definitions: StoredType['definitions']): boolean {
  const [core, ...extensions] = Object.values(definitions)
  return (
    core?.attributes.some(({ name }) => fold(name) === folded) === true ||
    extensions.some(({ id }) => fold(id) === folded)
  )
}

function metaOf({ created, lastModified, version }: WireResource): SourceMeta {
  const tag = isString(version) ? version : ''
  const [, revision] = /^W\/"(\d{1,15})"$/.exec(tag) ?? []
  return {
    created: timeOf(created),
    lastModified: timeOf(lastModified),
    // The first revision is 1.
    revision: Math.max(1, Number(revision ?? 1)),
    version: contentTagIn(tag),
  }
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

function timeOf(value: unknown): number | null {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? null : expressible(time)
}

function invalid(detail: string): ScimError {
  return new ScimError(400, detail, { scimType: 'invalidValue' })
}

const WITHOUT_TYPE = invalid('neither meta.resourceType nor schemas names a type of the tenant')
const SERVER_SET = ['schemas', 'id', 'externalid', 'meta', 'groups']
