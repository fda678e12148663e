/** What an operation of a bulk request does (RFC 7644 §3.7). */
export type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One operation of a bulk request. */
export interface Operation {
  readonly method: Method
  /** The path below the base address: `/Users` for a POST, `/Users/{id}` for all else. */
  readonly path: string
  /** What other operations call the resource that a POST creates; null where there is none. */
  readonly bulkId: string | null
  /** The entity tag that the resource must have; null where there is none. */
  readonly version: string | null
  /** The body, which may refer to new resources as `bulkId:…`; null for DELETE. */
  readonly data: object | null
}

/** A bulk request. */
export interface BulkRequest {
  /** After how many errors the rest is not run; null for never. */
  readonly failOnErrors: number | null
  readonly operations: readonly Operation[]
}

/** What a service provider takes at once: the members of `bulk` in its configuration. */
export interface Limits {
  /** How many operations a request has at most. */
  readonly maxOperations: number
  /** How many bytes of JSON, written without spaces, a request has at most. */
  readonly maxPayloadSize: number
}

/** One request to the service provider, all references in it resolved. */
export interface Call {
  readonly method: Method
  /** The path below the base address, such as `/Users/2819c223`. */
  readonly path: string
  /** The value of `If-Match`, an entity tag of RFC 9110 §8.8.3; absent if the operation has none. */
  readonly version?: string
  /** The body; absent for DELETE. */
  readonly data?: object
}

/** The answer to one request. */
export interface Outcome {
  readonly status: number
  /** The address of the resource, whose last segment is its id; a POST that succeeds has to give it. */
  readonly location?: string
  /** The entity tag of the resource. */
  readonly version?: string
  /** The body; an error without one gets the error document of its status. */
  readonly response?: unknown
}

/** Does what a request asks for; a ScimError that it throws is the answer to that request. */
export type Execute = (call: Call) => Promise<Outcome>

/** What became of one operation. */
export interface OperationResponse {
  readonly method: Method
  readonly bulkId?: string
  readonly location?: string
  readonly version?: string
  /** The HTTP status code, as text. */
  readonly status: string
  readonly response?: unknown
}

/** The body that answers a bulk request. */
export interface BulkResponse {
  readonly schemas: readonly string[]
  /** In the order of the request; what was not run is not there. */
  readonly Operations: readonly OperationResponse[]
}
