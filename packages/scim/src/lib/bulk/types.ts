import type { Definitions } from '../schema/types.ts'

/** The method of a bulk operation (RFC 7644 §3.7). */
export type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One operation of a bulk request (RFC 7644 §3.7). */
export interface Operation {
  /** The HTTP method of the operation. */
  readonly method: Method
  /** The path below the base address: `/Users` for a POST, `/Users/{id}` or `/Me` for the other methods. */
  readonly path: string
  /** The name by which other operations refer to the resource that a POST creates; null if absent. */
  readonly bulkId: string | null
  /** The entity tag the resource must have; null if absent. */
  readonly version: string | null
  /** The body, which may refer to new resources as `bulkId:…`; null for DELETE. */
  readonly data: object | null
}

/** A bulk request (RFC 7644 §3.7). */
export interface BulkRequest {
  /** The number of errors after which the remaining operations do not run; null for no limit. */
  readonly failOnErrors: number | null
  /** The operations, in the request order. */
  readonly operations: readonly Operation[]
}

/** A bulk request's limits: members of `bulk` in the service provider's configuration (RFC 7643 §5). */
export interface Limits {
  /** The most operations in a request. */
  readonly maxOperations: number
  /** The maximum size of a request: bytes of JSON, written without spaces. */
  readonly maxPayloadSize: number
}

/** A type of resource whose references to new resources are resolved (RFC 7644 §3.7.2). */
export interface BulkResourceType {
  /** The path of its resources below the base address, such as `/Users`. */
  readonly endpoint: string
  /** The type's schemas. They say which attributes are references. */
  readonly definitions: Definitions
}

/** The `runBulk` options. */
export interface RunOptions {
  /**
   * The resource types. `bulkId:…` is replaced only in attributes that refer to resources, and only in operations on
   * these types. By default the users and groups of RFC 7643, at `/Users` and `/Groups`.
   */
  readonly resourceTypes?: readonly BulkResourceType[] | undefined
  /**
   * The base address, such as `https://example.com/scim/v2`, without a trailing slash. The location of an operation
   * that `execute` answers without one is this address with the path; by default only the path.
   */
  readonly base?: string | undefined
}

/** One request to the service provider. All its references are resolved (RFC 7644 §3.7.2). */
export interface Call {
  /** The HTTP method of the request. */
  readonly method: Method
  /** The path below the base address, such as `/Users/2819c223`. */
  readonly path: string
  /** The value of `If-Match`, an entity tag of RFC 9110 §8.8.3; absent without a version. */
  readonly version?: string
  /** The body; absent for DELETE. */
  readonly data?: object
}

/** The response to one request (RFC 7644 §3.7.3). */
export interface Outcome {
  /** The HTTP status code. */
  readonly status: number
  /** The resource's address, whose last segment is its id. Required if a POST succeeds. */
  readonly location?: string
  /** The entity tag of the resource. */
  readonly version?: string
  /** The body. An error without a body gets the error document of its status. */
  readonly response?: unknown
}

/** Executes a request. A ScimError it throws becomes the response to that request. */
export type Execute = (call: Call) => Promise<Outcome>

/** The response to one operation (RFC 7644 §3.7.3). */
export interface OperationResponse {
  /** The HTTP method of the operation. */
  readonly method: Method
  /** The operation's name in the request; absent without one. */
  readonly bulkId?: string
  /** The resource's address; absent if it was not created. */
  readonly location?: string
  /** The entity tag of the resource, if it is known. */
  readonly version?: string
  /** The HTTP status code, as a string. */
  readonly status: string
  /** The body: of an error, or of a success if `execute` returns it. */
  readonly response?: unknown
}

/** The body of the response to a bulk request (RFC 7644 §3.7.3). */
export interface BulkResponse {
  /** The schema of a BulkResponse. */
  readonly schemas: readonly string[]
  /** In the request order, without the operations that did not run. */
  readonly Operations: readonly OperationResponse[]
}
