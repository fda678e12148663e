import {
  copyPlain,
  defined,
  isJsonObject,
  type JsonObject,
  matchesRange,
  mediaTypeOf,
  memoize,
  sampleOf,
} from '@plumbline/base'
import type { AnyProblemCatalog, ProblemType } from '@plumbline/problem'
import { MEDIA_TYPE_PROBLEM, pointerOf } from '@plumbline/problem/core'
import type * as OpenAPI from '../openapi.ts'
import { acceptsMembers, type Extensions, isOptional } from '../schema/extensions.ts'
import { isSchema, type Schema } from '../schema/standard-schema.ts'
import { convert, rootOf } from '../schema/to-json-schema.ts'
import { referenceTo } from './component-name.ts'
import { describeProperties, type Property, reserveName, useSchema } from './components/schemas.ts'
import type { Components } from './components/state.ts'
import type { SchemaPlace } from './components/write.ts'

/** Names a catalog entry's response, such as `NotFound` for `notFound`; the schema is `NotFoundProblem`. */
export function problemName(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1)
}

/** Reserves the schema names for a catalog. */
export function reserveProblemNames(catalog: AnyProblemCatalog, components: Components): void {
  if (Object.keys(catalog).length > 0) reserveName(components, 'Problem', 'the problem catalog')
  for (const name of Object.keys(catalog)) {
    reserveName(components, `${problemName(name)}Problem`, `the problem ${name}`)
  }
}

/** Describes all catalog entries as schemas, responses and examples, used or unused. */
export function describeProblems(
  catalog: AnyProblemCatalog,
  components: Components,
): DescribedProblems {
  const entries = Object.entries(catalog)
  const schemas = Object.fromEntries([
    ...(entries.length > 0 ? [['Problem', baseSchema(catalog)] as const] : []),
    ...entries.map(([name, entry]) => {
      const key = `${problemName(name)}Problem`
      return [key, problemSchema(key, entry, components)] as const
    }),
  ])
  return {
    schemas,
    responses: Object.fromEntries(
      entries.map(([name, { title }]) => [
        problemName(name),
        problemResponse(title, [name], catalog),
      ]),
    ),
    examples: Object.fromEntries(
      entries.flatMap(([name, entry]) => {
        const value = exampleOf(entry)
        return value === null ? [] : [[problemName(name), { value: copyPlain(value) }] as const]
      }),
    ),
  }
}

/** The components for all problems. */
interface DescribedProblems {
  readonly schemas: Record<string, OpenAPI.Schema>
  readonly responses: Record<string, OpenAPI.Response>
  readonly examples: Record<string, OpenAPI.Example>
}

/** Makes a problem with its required extension members; null if no values are found for their schemas. */
const exampleOf: (entry: ProblemType) => JsonObject | null = memoize(
  ({ type, title, status, extensions }) => {
    const members = extensions === undefined ? {} : sampleMembers(extensions)
    const isValid = extensions === undefined || acceptsMembers(extensions, members)
    return isValid ? { type, title, status, ...members } : null
  },
)

function sampleMembers(extensions: Extensions): JsonObject {
  if (isSchema(extensions)) {
    const members = sampleSchema(extensions)
    return isJsonObject(members) ? members : {}
  }
  const required = Object.entries(extensions).filter(([, schema]) => !isOptional(schema))
  return Object.fromEntries(required.map(([name, schema]) => [name, sampleSchema(schema)]))
}

function sampleSchema(schema: Schema): unknown {
  const { value } = convert(schema)
  if (value === undefined) return undefined
  const root = rootOf(value.json)
  return sampleOf(root, Object(root.$defs))
}

/** Groups an operation's problems by status. */
export function problemsByStatus(
  names: readonly string[],
  catalog: AnyProblemCatalog,
): ReadonlyMap<number, readonly string[]> {
  const byStatus = new Map<number, string[]>()
  for (const name of new Set(names)) {
    const { status } = catalog[name] as ProblemType
    byStatus.set(status, [...(byStatus.get(status) ?? []), name])
  }
  return byStatus
}

/** Merges all problems with one status into a response. */
export function mergeProblems(
  names: readonly string[],
  catalog: AnyProblemCatalog,
): OpenAPI.Response | OpenAPI.Reference {
  const [only, ...others] = names
  if (only !== undefined && others.length === 0) {
    return { $ref: `#/components/responses/${problemName(only)}` }
  }
  return problemResponse(describeTitles(names, catalog), names, catalog)
}

/**
 * Adds problems to a declared response with the same status: the media type identifies problems for clients. Returns
 * null if the response does not have a body, or if the content already covers the problem media type.
 */
export function joinProblems(
  response: OpenAPI.Response | OpenAPI.Reference,
  names: readonly string[],
  catalog: AnyProblemCatalog,
): OpenAPI.Response | null {
  if (!('content' in response) || response.content === undefined) return null
  const ranges = Object.keys(response.content).map(mediaTypeOf)
  if (ranges.some((range) => matchesRange(range, MEDIA_TYPE_PROBLEM))) return null
  const problem = problemResponse(describeTitles(names, catalog), names, catalog)
  return {
    ...response,
    description: `${response.description}; or: ${problem.description}`,
    content: { ...response.content, ...problem.content },
  }
}

function describeTitles(names: readonly string[], catalog: AnyProblemCatalog): string {
  return names.map((name) => catalog[name]?.title).join('; or: ')
}

function problemSchemas(names: readonly string[]): OpenAPI.Schema {
  const refs = names.map((name) => ({ $ref: referenceTo(`${problemName(name)}Problem`) }))
  const [only, ...others] = refs
  return only !== undefined && others.length === 0 ? only : { oneOf: refs }
}

function problemResponse(
  description: string,
  names: readonly string[],
  catalog: AnyProblemCatalog,
): OpenAPI.Response {
  const examples = names.flatMap((name) => {
    const entry = catalog[name]
    const isShown = entry !== undefined && exampleOf(entry) !== null
    return isShown ? [[name, { $ref: `#/components/examples/${problemName(name)}` }] as const] : []
  })
  const content = defined({
    schema: problemSchemas(names),
    examples: examples.length > 0 ? Object.fromEntries(examples) : undefined,
  })
  return { description, content: { [MEDIA_TYPE_PROBLEM]: content } }
}

/** Describes a problem's schema. The title helps readers to distinguish `oneOf` branches. */
function problemSchema(key: string, entry: ProblemType, components: Components): OpenAPI.Schema {
  const { type, title, status, extensions } = entry
  const pointer = pointerOf(['components', 'schemas', key, 'allOf', 1])
  const place = { operationId: null, pointer, steps: [key, 'extensions'] }
  const own = extensions ? describeExtensions(extensions, components, place) : null
  return defined({
    title: key,
    description: title,
    allOf: [{ $ref: referenceTo('Problem') }, ...(own ? [own.schema] : [])],
    properties: { type: { const: type }, title: { const: title }, status: { const: status } },
    unevaluatedProperties: own?.isClosed ? false : undefined,
  })
}

function describeExtensions(
  extensions: Extensions,
  components: Components,
  place: SchemaPlace,
): { readonly schema: unknown; readonly isClosed: boolean } {
  if (!isSchema(extensions)) {
    return { schema: recordSchema(extensions, components, place), isClosed: false }
  }
  const closed = isClosed(extensions) ? describeProperties(components, extensions, place) : null
  return closed
    ? { schema: openSchema(closed), isClosed: true }
    : { schema: useSchema(components, extensions, place), isClosed: false }
}

function recordSchema(
  extensions: Readonly<Record<string, Schema>>,
  components: Components,
  { pointer, steps, ...place }: SchemaPlace,
): OpenAPI.Schema {
  const members = Object.entries(extensions).map(([name, schema]) => {
    const inner = {
      pointer: `${pointer}${pointerOf(['properties', name])}`,
      steps: [...steps, name],
    }
    const written = useSchema(components, schema, { ...place, ...inner })
    return [name, { schema: written, required: !isOptional(schema) }] as const
  })
  return openSchema(new Map(members))
}

/** Whether a schema rejects members it does not name: it would reject the standard members. */
function isClosed(extensions: Schema): boolean {
  const { value } = convert(extensions)
  return value !== undefined && rootOf(value.json).additionalProperties === false
}

function openSchema(
  properties: ReadonlyMap<string, Pick<Property, 'schema' | 'required'>>,
): OpenAPI.Schema {
  const required = [...properties].filter(([, property]) => property.required)
  return defined({
    type: 'object',
    properties: Object.fromEntries([...properties].map(([name, { schema }]) => [name, schema])),
    required: required.length > 0 ? required.map(([name]) => name) : undefined,
  })
}

/** RFC 9457 §3.1: the standard members. Returns a new value each time, because a document's owner may change it. */
function baseSchema(catalog: AnyProblemCatalog): OpenAPI.Schema {
  const isOfErrors = Object.values(catalog).every(({ status }) => status >= 400)
  return {
    title: 'Problem',
    description: 'A problem document (RFC 9457).',
    type: 'object',
    properties: {
      type: { type: 'string', format: 'uri-reference', description: 'Names the type of problem.' },
      title: { type: 'string', description: 'The same for every problem of this type.' },
      status: { type: 'integer', minimum: isOfErrors ? 400 : 100, maximum: 599 },
      detail: { type: 'string', description: 'An explanation of this occurrence.' },
      instance: { type: 'string', format: 'uri-reference', description: 'Names this occurrence.' },
    },
    required: ['type', 'title', 'status'],
  }
}
