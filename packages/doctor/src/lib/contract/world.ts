import { isJsonObject, own } from '../json.ts'
import { type Field, fieldsOf, targetsOf } from '../model/fields.ts'
import { type Extent, sampleResource } from '../model/generate.ts'
import { type Definitions, isWritable } from '../model/types.ts'
import type { Adapt } from '../toolkit/adapt.ts'
import { type Answer, idOf, type Send } from './client.ts'
import type { StoreContractOptions } from './contract-check.ts'
import { expectCreated, expectStatus } from './expectations.ts'
import { adaptTo, type Described, type Settle, settling } from './shared.ts'

/** A resource in the form in which it is sent. */
export type Body = Record<string, unknown>

/** An endpoint over empty stores, and what the checks do with it. */
export interface World {
  readonly types: readonly Served[]
  /** Sends a request. */
  readonly send: Send
  /** Sends a request in the other context; null without one. */
  readonly sendAsOther: Send | null
  /** Sends a request whose writes throw after the store has done them; null without transactions. */
  readonly sendFailing: Send | null
}

/** A resource type of the endpoint. */
export interface Served {
  readonly name: string
  /** The path, such as `/Users`. */
  readonly endpoint: string
  readonly definitions: Definitions
  readonly fields: readonly Field[]
  /** Changes a generated resource so that the store accepts it. */
  readonly adapt: Adapt
  /** Gives the attributes that share a column one value. */
  readonly settle: Settle
  /** Generates a resource. The resources that it refers to are created first. */
  sample(extent: Extent, number: number): Promise<Body>
  /** Creates a generated resource. */
  create(extent: Extent, number: number): Promise<Created>
  /** Creates resources that differ, and reads each of them. */
  fill(count: number): Promise<readonly Body[]>
  /** Reads a resource with every attribute that is ever returned. */
  read(id: string): Promise<Body>
  /** Reads a resource that was created with only the required attributes: the others have their default. */
  defaults(): Promise<Body>
  /** Returns the ids of resources an attribute may refer to, which are created first. */
  targets(field: Field, count: number): Promise<readonly string[]>
}

/** A created resource. */
export interface Created {
  readonly id: string
  /** The resource's path. */
  readonly path: string
  /** The body that was sent. */
  readonly sent: Body
  readonly answer: Answer
}

/** The parts a resource type is made from. */
export interface ServedOptions {
  readonly name: string
  readonly endpoint: string
  readonly definitions: Definitions
  readonly send: Send
  readonly options: StoreContractOptions
  /** The store, for what it says about its attributes. */
  readonly store: Described['store']
  /** Creates a minimal resource with the first type that is served, and returns its id. */
  readonly createTarget: (types: readonly string[]) => Promise<string>
}

/** Makes what the checks do with one resource type. */
export function createServed(options: ServedOptions): Served {
  const { name, endpoint, definitions, send, store, createTarget } = options
  const fields = fieldsOf(definitions, store.ignoredAttributes)
  const settle = settling(store.sharedColumns ?? [], definitions, options.options.folded ?? [])
  const adapt = adaptTo(options.options, options)
  const query = wholeQuery(fields)
  const served: Served = {
    name,
    endpoint,
    definitions,
    fields,
    adapt,
    settle,
    async sample(extent, number) {
      const ids = new Map<string, string>()
      for (const targets of referencesOf(fields, extent)) {
        ids.set(targets.join(), await createTarget(targets))
      }
      const refer = (targets: readonly string[]): string => ids.get(targets.join()) ?? ''
      const resource = sampleResource(served, number, { extent, refer })
      return adapt(resource, { resourceType: name, number })
    },
    async create(extent, number) {
      const sent = await served.sample(extent, number)
      const answer = await send('POST', endpoint, sent)
      expectCreated(answer)
      const id = idOf(answer.body)
      return { id, path: pathOf(endpoint, id), sent, answer }
    },
    async fill(count) {
      const resources: Body[] = []
      for (let number = 1; number <= count; number += 1) {
        const { id } = await served.create('varied', number)
        resources.push(await served.read(id))
      }
      return resources
    },
    async read(id) {
      const answer = await send('GET', `${pathOf(endpoint, id)}${query}`)
      expectStatus(answer, 200, 'the resource exists')
      return answer.body
    },
    async defaults() {
      const { id } = await served.create('minimal', DEFAULTS)
      return await served.read(id)
    },
    async targets(field, count) {
      const ids: string[] = []
      for (let at = 0; at < count; at += 1) ids.push(await createTarget(targetsOf(field.attribute)))
      return ids
    },
  }
  return served
}

/** A resource's path. */
export function pathOf(endpoint: string, id: string): string {
  return `${endpoint}/${encodeURIComponent(id)}`
}

/** The lists of resource types a generated resource refers to. */
export function referencesOf(
  fields: readonly Field[],
  extent: Extent,
): readonly (readonly string[])[] {
  return fields.flatMap(({ parent, attribute }) => {
    const isSampled = extent === 'whole' || attribute.required === true
    const targets = parent === null && isWritable(attribute) ? targetsOf(attribute) : []
    return isSampled && targets.length > 0 ? [targets] : []
  })
}

/** The query that also asks for the attributes that are only returned on request (RFC 7643 §7). */
function wholeQuery(fields: readonly Field[]): string {
  const isOnRequest = fields.some(({ attribute }) => attribute.returned === 'request')
  if (!isOnRequest) return ''
  const attributes = fields
    .filter(({ attribute, parent }) => parent === null || attribute.returned === 'request')
    .map(({ path }) => path)
  return `?${new URLSearchParams({ attributes: ['meta', ...attributes].join() })}`
}

/** Returns a member from a resource's `meta`. */
export function metaOf(resource: object, member: string): unknown {
  const meta = own(resource, 'meta')
  return isJsonObject(meta) ? own(meta, member) : undefined
}

/** The number of the resource that shows the defaults. */
const DEFAULTS = 900
