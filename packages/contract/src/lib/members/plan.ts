import {
  type Components,
  isJsonObject,
  mediaTypeOf,
  memoize,
  nameInReference,
  own,
} from '@plumbline/base'
import { isFailure } from '@plumbline/result'
import type { Item } from '../report.ts'
import type { ParameterLocation, Source, SourceOperation, SourceStream } from '../source.ts'
import { createSlotCompiler, type SlotCompiler } from './compile.ts'
import { isForOthers } from './parameters.ts'
import type { Slot } from './slot.ts'

/** The counted members in one operation's parameters and bodies. */
export interface Members {
  readonly items: readonly Item[]
  /** Whether the operation has more than these. */
  readonly isCut: boolean
  readonly parameters: Readonly<Record<ParameterLocation, Slots>>
  /** The request bodies by media range in lower case. */
  readonly bodies: Slots
  /** The item for a request without a body, if that is allowed. */
  readonly withoutBody: Item | null
  /** By status code, range or `default`. */
  readonly responses: ReadonlyMap<string, ResponseMembers>
}

/** One response's members. */
export interface ResponseMembers {
  readonly headers: Slots
  /** By media range in lower case. */
  readonly bodies: Slots
  /** The stream's parts by name. */
  readonly parts: Slots
}

type Slots = ReadonlyMap<string, Slot>

/** Finds an operation's members. */
export type MembersOf = (operation: SourceOperation) => Members

/**
 * Finds each operation's members in the built document at first use, and keeps them until an operation is added. If the
 * document cannot be built, operations do not have members.
 */
export function planMembers(source: Source): MembersOf {
  const operations = source.operations()
  const known = planned.get(operations)
  if (known !== undefined) return known
  const built = source.build()
  const { paths, webhooks, components } = built === null || isFailure(built) ? {} : built.data
  const plan = memoize((operation: SourceOperation) => {
    const { path, method } = operation
    const described = own(own(paths, path) ?? own(webhooks, path), method)
    return describeMembers(described, operation, Object(components?.schemas))
  })
  planned.set(operations, plan)
  return plan
}

/** By the list of operations, which is another one once an operation is added. */
const planned = new WeakMap<readonly SourceOperation[], MembersOf>()

/** Whether an operation has members at a place: `request`, or a response's status code, range or `default`. */
export function hasMembers({ items }: Members, place: string): boolean {
  return items.some(({ name }) => name.startsWith(`${place} `))
}

function describeMembers(
  described: unknown,
  operation: SourceOperation,
  components: Components,
): Members {
  const compiler = createSlotCompiler(components)
  const parameters = addParameters(compiler, own(described, 'parameters'))
  const body = own(described, 'requestBody')
  const bodies = addContent(compiler, 'request', own(body, 'content'))
  const isOptional = isJsonObject(body) && body.required !== true
  const none = isOptional ? compiler.add('request', {}, { optional: 'absent' }) : null
  const responses = [...operation.responses].map(([status, declared]) => {
    const response = own(own(described, 'responses'), status)
    const headers = addHeaders(compiler, status, own(response, 'headers'))
    // Problems from the catalog are another kind of item.
    const bodies = addContent(compiler, status, own(response, 'content'), declared.ranges)
    const parts = addParts(compiler, status, own(response, 'content'), declared.stream, components)
    return [status, { headers, bodies, parts }] as const
  })
  const { items, isCut } = compiler.finish()
  const withoutBody = none?.absent ?? null
  return { items, isCut, parameters, bodies, withoutBody, responses: new Map(responses) }
}

function addParameters(compiler: SlotCompiler, listed: unknown): Members['parameters'] {
  const parameters = { params: new Map(), query: new Map(), headers: new Map(), cookies: new Map() }
  for (const parameter of Array.isArray(listed) ? listed : []) {
    // Other parameters do not have names to count.
    if (isForOthers(parameter)) continue
    const { name, in: location, required, schema } = Object(parameter)
    // An optional parameter's presence is another kind of item.
    const optional = required === true ? undefined : 'absent'
    const slot = compiler.add(`${location}:${name}`, schema, { optional, isText: true })
    for (const [of, prefix] of LOCATIONS) if (prefix === location) parameters[of].set(name, slot)
  }
  return parameters
}

function addHeaders(compiler: SlotCompiler, status: string, headers: unknown): Slots {
  return new Map(
    Object.entries(Object(headers)).map(([name, header]) => {
      const optional = own(header, 'required') === true ? undefined : 'both'
      const place = `${status} header:${name}`
      return [name, compiler.add(place, own(header, 'schema'), { optional, isText: true })]
    }),
  )
}

/** Adds each media type's body. JSON is not named: most bodies do not have another media type. */
function addContent(
  compiler: SlotCompiler,
  place: string,
  content: unknown,
  ranges: readonly string[] | null = null,
): Slots {
  return new Map(
    Object.entries(Object(content)).flatMap(([type, media]) => {
      const range = mediaTypeOf(type)
      if (ranges?.includes(range) === false) return []
      const name = range === JSON_TYPE ? place : `${place} ${range}`
      return [[range, compiler.add(name, own(media, 'schema'))] as const]
    }),
  )
}

/** Adds a stream's events, each as an item, or its lines. */
function addParts(
  compiler: SlotCompiler,
  status: string,
  content: unknown,
  stream: SourceStream | undefined,
  components: Components,
): Slots {
  const parts = new Map<string, Slot>()
  if (stream === undefined) return parts
  const media = own(content, stream.mediaType)
  const item = own(media, 'x-item-schema') ?? own(media, 'itemSchema')
  if (stream.kind === 'lines') {
    return parts.set('line', compiler.add(`${status} line`, item, { optional: 'present' }))
  }
  const { $ref } = Object(item)
  const named = own(components, nameInReference(String($ref), COMPONENTS) ?? '')
  for (const one of [own(named, 'oneOf') ?? named].flat()) {
    const properties = own(one, 'properties')
    const name = String(own(own(properties, 'event'), 'const'))
    const data = own(properties, 'data')
    const schema = own(data, 'contentSchema') ?? data
    parts.set(name, compiler.add(`${status} event:${name}`, schema, { optional: 'present' }))
  }
  return parts
}

const LOCATIONS = [
  ['params', 'path'],
  ['query', 'query'],
  ['headers', 'header'],
  ['cookies', 'cookie'],
] as const

const JSON_TYPE = 'application/json'
const COMPONENTS = '#/components/schemas/'
