/** The method of a bulk operation (RFC 7644 §3.7). */
export type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One operation of a bulk request. */
export interface Operation {
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

/** A bulk request. */
export interface BulkRequest {
  /** The number of errors after which the remaining operations do not run; null for no limit. */
  readonly failOnErrors: number | null
  readonly operations: readonly Operation[]
}

/** The limits of a bulk request: the members of `bulk` in the configuration of the service provider. */
export interface Limits {
  /** The maximum number of operations of a request. */
  readonly maxOperations: number
  /** The maximum size of a request: bytes of JSON, written without spaces. */
  readonly maxPayloadSize: number
}

/** One request to the service provider. All references in it are resolved. */
export interface Call {
  readonly method: Method
  /** The path below the base address, such as `/Users/2819c223`. */
  readonly path: string
  /** The value of `If-Match`, an entity tag of RFC 9110 §8.8.3; absent without a version. */
  readonly version?: string
  /** The body; absent for DELETE. */
  readonly data?: object
}

/** The response to one request. */
export interface Outcome {
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

/** The response to one operation. */
export interface OperationResponse {
  readonly method: Method
  readonly bulkId?: string
  readonly location?: string
  readonly version?: string
  /** The HTTP status code, as a string. */
  readonly status: string
  readonly response?: unknown
}

/** The body of the response to a bulk request. */
export interface BulkResponse {
  readonly schemas: readonly string[]
  /** In the order of the request, without the operations that did not run. */
  readonly Operations: readonly OperationResponse[]
}
