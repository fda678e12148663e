import type { Received, SendOptions } from '../http/exchange.ts'
import type { JsonObject } from '../json.ts'
import type { Documents } from '../model/documents.ts'
import type { ExaminedType } from '../model/types.ts'
import type { Client } from './client.ts'
import type { Leak } from './leaks.ts'
import type { Words } from './words.ts'

/** A resource the examination created. */
export interface Created {
  readonly id: string
  /** The path below the base URL, such as `/Users/1`. */
  readonly path: string
  /** The resource as it was sent. */
  readonly sent: JsonObject
  /** The resource as the server returned it. */
  readonly body: JsonObject
  readonly response: Received
}

/** A shared user's name. */
export type PersonName = 'ada' | 'bob' | 'eve'

/** The shared users. Checks must not change or delete them. */
export type People = Readonly<Record<PersonName, Created>>

/** An operation of a PATCH request (RFC 7644 §3.5.2). */
export interface Operation {
  readonly op: string
  readonly path?: string
  readonly value?: unknown
}

/** The server as a check sees it: requests, its discovery documents, samples and shared resources. */
export interface Server extends Client {
  /** The discovery documents, which checks read without a request. */
  readonly documents: Documents
  /** The resource types the server serves. */
  readonly types: readonly ExaminedType[]
  /** The type with the name, or with the schema of users or groups for `User` and `Group`. Without it, the check is skipped. */
  type(name: string): ExaminedType
  /** A text that no resource of the server contains. */
  unique(): string
  /** A valid resource of a type that does not exist yet. Overrides replace members; undefined removes one. */
  sample(type: string, overrides?: JsonObject): JsonObject
  /** The attributes of users that checks change: those that the server declares. */
  words(): Words
  /** The members of a sample user that have other values, by path, for `create`. Undefined removes a value. */
  set(values: Readonly<JsonObject>): JsonObject
  /** A value of a string: the text, or a new userName where the path is `userName`. */
  fit(path: string, text: string): string
  /** Creates a resource that this check may change. If the server rejects it, the check is blocked. */
  create(type: string, overrides?: JsonObject): Promise<Created>
  /** A resource with every attribute of the type that does not refer to another resource. Each one has other values. */
  whole(type: ExaminedType): JsonObject
  /** A resource with only the required attributes of the type. */
  minimal(type: ExaminedType): JsonObject
  /** Returns a resource as the server stores it: by default as it was sent. */
  readonly settle: Settle
  /** Creates a whole resource, or a usual one if the server rejects it. */
  createWhole(type: ExaminedType, overrides?: JsonObject): Promise<Created>
  /** Sends a PATCH request with the operations. */
  modify(path: string, ...operations: readonly Operation[]): Promise<Received>
  /** The shared users, which are created for the first check that needs them. */
  people(): Promise<People>
  /** A filter that selects exactly the shared users, in the first way that the server supports. */
  everyone(): Promise<string>
  /** The values of the examination's responses until now that a server must never return. */
  readonly leaks: readonly Leak[]
  /** Whether each attribute of each type is examined by every request, and not only one of each kind. */
  readonly isThorough: boolean
  /** The shared resources of a type, as they are read: they differ in the attributes that its schemas declare. */
  shelf(type: ExaminedType): Promise<readonly JsonObject[]>
  /** The shared group, whose members are ada and bob. */
  team(): Promise<Created>
  /**
   * The shared users a filter selects, in alphabetical order. Other users of the server are ignored. If the server
   * does not support the filter, the check is skipped, unless the filter is required.
   */
  matches(filter: string, options?: MatchOptions): Promise<readonly PersonName[]>
}

/**
 * Returns a resource as a store keeps it whose attributes share columns, or whose strings are folded. `winner` is the path
 * of the attribute that decides; without one, it is the attribute whose value differs from the current one.
 */
export type Settle = (
  type: Pick<ExaminedType, 'name'>,
  resource: JsonObject,
  current?: JsonObject | null,
  winner?: string,
) => JsonObject

/** A filter's options. */
export interface MatchOptions extends SendOptions {
  /** Whether a server that answers invalidFilter breaks the rule: the filter is another spelling of a supported one. */
  readonly isRequired?: boolean
}

/** The shared resources, once per examination. */
export interface Shared {
  people: Promise<People> | null
  everyone: Promise<string> | null
  team: Promise<Created> | null
  /** By type, the resources that differ in their attributes. */
  readonly shelves: Map<string, Promise<readonly JsonObject[]>>
  /** By type, how many resources with every attribute were generated. */
  readonly wholes: Map<string, number>
  /** By type, how many resources in a row were not created since the last one that was. */
  readonly rejections: Map<string, number>
  /** The types of which the server accepted a resource with one value in each list, after it rejected more. */
  readonly reduced: Set<string>
  /** The values that responses had, and that a server must never return. */
  readonly leaks: Leak[]
}

/** The parts of a server that do not depend on the check. */
export interface ServerOptions {
  readonly documents: Documents
  readonly types: readonly ExaminedType[]
  /** The start of every unique text. */
  readonly marker: string
  readonly unique: () => string
  /** Changes a sample of a resource type before it is sent. */
  readonly adapt: (sample: JsonObject, resourceType: string) => JsonObject
  readonly settle: Settle
  readonly shared: Shared
  readonly isThorough: boolean
  /** Keeps the resources that exist now until the end of the examination. */
  readonly keep: () => void
}
