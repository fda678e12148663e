/** The method of a bulk operation (RFC 7644 §3.7). */
export type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One operation of a bulk request (RFC 7644 §3.7). */
export interface Operation {
  /** The HTTP method of the operation. */
  readonly method: Method
  /** The path below the base address: `/Users` for a POST, `/Users/{id}` for the other methods. */
  readonly path: string
  /** The name by which other operations refer to the resource that a POST creates; null if absent. */
  readonly bulkId: string | null
  /** The entity tag that the resource must have; null if absent. */
  readonly version: string | null
  /** The body, which may refer to new resources as `bulkId:…`; null for DELETE. */
  readonly data: object | null
}

/** A bulk request (RFC 7644 §3.7). */
export interface BulkRequest {
  /** The number of errors after which the remaining operations do not run; null for no limit. */
  readonly failOnErrors: number | null
  /** The operations, in the order of the request. */
  readonly operations: readonly Operation[]
}

/** The limits of a bulk request: members of `bulk` in the service provider's configuration (RFC 7643 §5). */
export interface Limits {
  /** The maximum number of operations of a request. */
  readonly maxOperations: number
  /** The maximum size of a request: bytes of JSON, written without spaces. */
  readonly maxPayloadSize: number
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
  /** The address of the resource, whose last segment is its id. Required if a POST succeeds. */
  readonly location?: string
  /** The entity tag of the resource. */
  readonly version?: string
  /** The body. An error without a body gets the error document of its status. */
  readonly response?: unknown
}

/** Executes a request. A ScimError that it throws becomes the response to that request. */
export type Execute = (call: Call) => Promise<Outcome>

/** The response to one operation (RFC 7644 §3.7.3). */
export interface OperationResponse {
  /** The HTTP method of the operation. */
  readonly method: Method
  /** The name of the operation in the request; absent without one. */
  readonly bulkId?: string
  /** The address of the resource; absent if it was not created. */
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
  /** In the order of the request, without the operations that did not run. */
  readonly Operations: readonly OperationResponse[]
}
