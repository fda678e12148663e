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

/** A PATCH operation (RFC 7644 §3.5.2). */
export interface Operation {
  readonly op: string
  readonly path?: string
  readonly value?: unknown
}

/** The server as a check sees it: requests, discovery documents, samples and shared resources. */
export interface Server extends Client {
  /** The discovery documents, which checks read without a request. */
  readonly documents: Documents
  /** The resource types the server serves. */
  readonly types: readonly ExaminedType[]
  /**
   * Finds a type by name; `User` and `Group` are found by their core schema. Skips the check if the server lacks it.
   */
  type(name: string): ExaminedType
  /** Returns a new text, which no resource on the server contains. */
  unique(): string
  /** Returns a valid resource for a type, not created yet. Overrides replace members; undefined removes one. */
  sample(type: string, overrides?: JsonObject): JsonObject
  /** The user attributes to change, as far as the server declares them. */
  words(): Words
  /** Returns members for `create`: those of a sample user, with these values by path. Undefined removes a value. */
  set(values: Readonly<JsonObject>): JsonObject
  /** Returns a string for an attribute: the text, or a new userName if the path is `userName`. */
  fit(path: string, text: string): string
  /** Creates a resource for this check to change. If the server rejects it, the check is blocked. */
  create(type: string, overrides?: JsonObject): Promise<Created>
  /** Returns a resource with all attributes except references to other resources. Each one has other values. */
  whole(type: ExaminedType): JsonObject
  /** Returns a resource with only the type's required attributes. */
  minimal(type: ExaminedType): JsonObject
  /** Returns a resource as the server stores it; as sent by default. */
  readonly settle: Settle
  /** Creates a whole resource, or a usual one if the server rejects it. */
  createWhole(type: ExaminedType, overrides?: JsonObject): Promise<Created>
  /** Sends a PATCH request with the operations. */
  modify(path: string, ...operations: readonly Operation[]): Promise<Received>
  /** Returns the shared users, created for the first check that needs them. */
  people(): Promise<People>
  /** Returns a filter for exactly the shared users, in the first form the server supports. */
  everyone(): Promise<string>
  /** The values seen in responses so far although a server must never return them. */
  readonly leaks: readonly Leak[]
  /** Whether every request examines each attribute of each type, and not only one of each kind. */
  readonly isThorough: boolean
  /** Returns a type's shared resources, as read: they differ in the attributes the schemas declare. */
  shelf(type: ExaminedType): Promise<readonly JsonObject[]>
  /** The shared group, whose members are ada and bob. */
  team(): Promise<Created>
  /**
   * The shared users a filter selects, in alphabetical order. The server's other users are ignored. If the server does
   * not support the filter, the check is skipped, unless the filter is required.
   */
  matches(filter: string, options?: MatchOptions): Promise<readonly PersonName[]>
}

/**
 * Returns a resource as a store keeps it if attributes share columns or strings are folded. `winner` is the path of the
 * deciding attribute; without one, the attribute whose value differs from the current one decides.
 */
export type Settle = (
  type: Pick<ExaminedType, 'name'>,
  resource: JsonObject,
  current?: JsonObject | null,
  winner?: string,
) => JsonObject

/** A filter's options. */
export interface MatchOptions extends SendOptions {
  /** Whether a server breaks the rule with invalidFilter: it supports the filter in another spelling. */
  readonly isRequired?: boolean
}

/** The shared resources, once per examination. */
export interface Shared {
  people: Promise<People> | null
  everyone: Promise<string> | null
  team: Promise<Created> | null
  /** By type, resources with different attributes. */
  readonly shelves: Map<string, Promise<readonly JsonObject[]>>
  /** By type, how many resources with all attributes were generated. */
  readonly wholes: Map<string, number>
  /** By type, how many resources in a row could not be created since the last success. */
  readonly rejections: Map<string, number>
  /** The types whose resources the server accepted only after each list was cut to one value. */
  readonly reduced: Set<string>
  /** The values seen in responses although a server must never return them. */
  readonly leaks: Leak[]
}

/** The parts of a server that all checks share. */
export interface ServerOptions {
  readonly documents: Documents
  readonly types: readonly ExaminedType[]
  /** The prefix for unique texts. */
  readonly marker: string
  readonly unique: () => string
  /** Changes a sample resource before it is sent. */
  readonly adapt: (sample: JsonObject, resourceType: string) => JsonObject
  readonly settle: Settle
  readonly shared: Shared
  readonly isThorough: boolean
  /** Keeps the resources created so far until the examination ends. */
  readonly keep: () => void
}
