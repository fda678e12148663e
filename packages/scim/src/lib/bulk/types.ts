import type { ScimError } from '../error.ts'
import type { Definitions } from '../schema/types.ts'

/** A bulk operation's method (RFC 7644 §3.7). */
export type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One bulk operation (RFC 7644 §3.7). */
export interface Operation {
  /** The operation's HTTP method. */
  readonly method: Method
  /** The path below the base address: `/Users` for a POST, `/Users/{id}` or `/Me` for the other methods. */
  readonly path: string
  /** The name other operations use for the resource a POST creates; null if absent. */
  readonly bulkId: string | null
  /** The entity tag the resource must have; null if absent. */
  readonly version: string | null
  /** The body, which may refer to new resources as `bulkId:…`; null for DELETE. */
  readonly data: object | null
}

/** A bulk operation that cannot run. Its response has the error, and the other operations run (RFC 7644 §3.7.3). */
export interface RejectedOperation {
  /** The method as it was sent, such as `GET`. */
  readonly method: string
  /** The path below the base address; null if it is not valid. */
  readonly path: string | null
  /** The operation's name in the request; null if absent or not valid. */
  readonly bulkId: string | null
  /** The reason. */
  readonly error: ScimError
}

/** A bulk request (RFC 7644 §3.7). */
export interface BulkRequest {
  /** The number of errors after which the remaining operations do not run; null for no limit. */
  readonly failOnErrors: number | null
  /** The operations, in the request order. */
  readonly operations: readonly (Operation | RejectedOperation)[]
}

/** A bulk request's limits: members of `bulk` in the service provider's configuration (RFC 7643 §5). */
export interface Limits {
  /** The most operations in a request. */
  readonly maxOperations: number
  /** The maximum size: bytes of JSON, written without spaces. */
  readonly maxPayloadSize: number
}

/** A resource type whose references to new resources are resolved (RFC 7644 §3.7.2). */
export interface BulkResourceType {
  /** The resources' path below the base address, such as `/Users`. */
  readonly endpoint: string
  /** The type's schemas. They say which attributes are references. */
  readonly definitions: Definitions
}

/** The `runBulk` options. */
export interface RunOptions {
  /**
   * The resource types. `bulkId:…` is replaced only in attributes that refer to resources, and only in operations on
   * these types. Defaults to the users and groups from RFC 7643, at `/Users` and `/Groups`.
   */
  readonly resourceTypes?: readonly BulkResourceType[] | undefined
  /**
   * The base address, such as `https://example.com/scim/v2`, without a trailing slash. If `execute` omits the location,
   * an operation's location is this address with the path; by default only the path.
   */
  readonly base?: string | undefined
}

/** One request to the service provider. All its references are resolved (RFC 7644 §3.7.2). */
export interface Call {
  /** The request's HTTP method. */
  readonly method: Method
  /** The path below the base address, such as `/Users/2819c223`. */
  readonly path: string
  /** The `If-Match` value, an entity tag (RFC 9110 §8.8.3); absent without a version. */
  readonly version?: string
  /** The body; absent for DELETE. */
  readonly data?: object
}

/** The response to one request (RFC 7644 §3.7.3). */
export interface Outcome {
  /** The HTTP status code. */
  readonly status: number
  /** The resource's address, whose last segment is the id. Required if a POST succeeds. */
  readonly location?: string
  /** The resource's entity tag. */
  readonly version?: string
  /** The body. An error without a body gets the error document for the status. */
  readonly response?: unknown
}

/** Executes a request. A thrown ScimError becomes the response to that request. */
export type Execute = (call: Call) => Promise<Outcome>

/** The response to one operation (RFC 7644 §3.7.3). */
export interface OperationResponse {
  /** The operation's HTTP method, as a rejected operation sent it. */
  readonly method: string
  /** The operation's name in the request; absent without one. */
  readonly bulkId?: string
  /** The resource's address; absent if it was not created. */
  readonly location?: string
  /** The resource's entity tag, if it is known. */
  readonly version?: string
  /** The HTTP status code, as a string. */
  readonly status: string
  /** The body: an error's, or a success's if `execute` returns it. */
  readonly response?: unknown
}

/** The body of a bulk response (RFC 7644 §3.7.3). */
export interface BulkResponse {
  /** The BulkResponse schema. */
  readonly schemas: readonly string[]
  /** In the request order, without the operations that did not run. */
  readonly Operations: readonly OperationResponse[]
}
