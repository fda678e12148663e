import { defined } from '@plumbline/base'
import { addressOfCode } from '../address.ts'
import { type Coded, fillIn } from '../sentence.ts'

/** The sentence for each code: what is wrong, and what to change. */
export const BUILD_FAULTS = {
  'any-method': 'the route accepts any method; bind the operation to one method',
  'missing-method':
    'the route {path} must be a method, a space and a pattern, such as GET /books/:id',
  'unsupported-method': 'OpenAPI 3.1 does not support the method {method}; {remedy}',
  'invalid-pattern': 'the route pattern is not valid: {reason}',
  'foreign-pattern': 'the pattern has {part}, which the router does not read; {remedy}',
  'query-in-pattern': 'the pattern names query parameters; declare them in query instead',
  'optional-segment':
    'the pattern has an optional segment; define one operation with it and one without',
  'hostname-variable':
    'the pattern has a variable in its hostname; list the hosts in servers instead',
  'unnamed-wildcard': 'the pattern has an unnamed wildcard; name it, such as *path',
  'duplicate-operation-id': 'the operationId {name} is used twice; rename one operation',
  'duplicate-route': 'two operations are bound to {route}; remove one',
  'conflicting-path':
    'the path differs from {path} only in the names of its variables; use the same names',
  'missing-param': 'params does not have {names}, which the route has; add it',
  'unknown-param': 'params has {names}, which the route does not have; remove it',
  'not-an-object-schema': 'the schema must be an object schema with one key for each parameter',
  'unsupported-parameter':
    'the {location} parameter {name} accepts only {kind}, which cannot be sent as text; use a string or the body',
  'list-parameter':
    'the {location} parameter {name} may be a list, which cannot be sent as text; remove the list',
  'unsatisfiable-parameter': 'the {location} parameter {name} accepts no value; remove it',
  'ignored-header': 'OpenAPI ignores a header parameter named {name}; {remedy}',
  'invalid-header-name': '{name} is not a valid header name (RFC 9110 §5.1); rename it',
  'duplicate-header': '{name} is the same header as {other} (RFC 9110 §5.1); remove one',
  'empty-body': 'the body does not have a media type; remove body, or add a media type',
  'invalid-media-type': '{type} is not a valid media type; write it as type/subtype',
  'duplicate-media-type': '{type} is the same media type as {other}; remove one',
  'file-in-text': '{type} cannot carry files; send them in multipart/form-data',
  'invalid-status':
    '{status} is not a valid status; use 100 to 599, a range such as 4XX, or default',
  'duplicate-status': 'the status {status} is declared as a response and as a problem; remove one',
  'unknown-problem': "the problem {name} is not defined; add it to the document's problem catalog",
  'unknown-security-scheme': 'the security scheme {name} is not defined; add it to securitySchemes',
  'unknown-scope':
    'the security scheme {scheme} does not define the scope {name}; add it to the scopes of a flow',
  'relative-server-url':
    'the url of a server must be absolute, such as https://example.com, not {url}',
  'no-json-schema': '{reason}; {remedy}',
  'inexact-json-schema': '{part} cannot be represented in JSON Schema; {remedy}',
  'non-unicode-pattern':
    'the pattern {pattern} does not compile with the flag u ({reason}); remove unnecessary escapes, and escape brackets and braces',
  'duplicate-schema-name':
    'two different schemas are named {name}: this one and {other}; rename one',
  'reserved-schema-name': 'the schema name {name} is reserved for {owner}; rename it',
  'invalid-schema-name': 'the schema name {name} must match ^[a-zA-Z0-9._-]+$; rename it',
  'invalid-component-name': 'the component name {name} must match ^[a-zA-Z0-9._-]+$; rename it',
  'unresolved-reference':
    'the reference {reference} does not lead to a component; use the schema itself',
  'invalid-callback-url':
    'the expression {expression} of the callback {reason}; declare it, or change the expression',
  'invalid-link': 'the link is not valid: {reason}; change the link or the operation',
  'invalid-deprecation':
    'deprecated needs valid Dates, of which sunset is not earlier than since, and a URI reference as its link',
  'invalid-example': 'the example {name} is not valid: {reason}; change the example or the schema',
} as const

/** The fault kinds that prevent a build. Codes are stable; messages may change. */
export type BuildFaultCode = keyof typeof BUILD_FAULTS

/** One fault to fix before a document can be built. */
export interface BuildFault {
  /** The fault's kind. */
  readonly code: BuildFaultCode
  /** The operation at fault; null if the fault is in the document. */
  readonly operationId: string | null
  /** The fault's JSON Pointer (RFC 6901), as if the document had been built. */
  readonly pointer: string
  /** The fault, and how to fix it. */
  readonly message: string
  /** The error the schema library threw, if any. */
  readonly cause?: unknown
}

/**
 * Says why a document was not built: the first fault, and all faults under `errors`. The message's last line is an
 * address with an explanation of the code. `cause` is the first fault's error from the schema library, if any.
 */
export class OpenAPIBuildError extends Error {
  override readonly name: string = 'OpenAPIBuildError'
  /** The first fault's kind. */
  readonly code: BuildFaultCode
  /** The operation at fault; null if the first fault is in the document. */
  readonly operationId: string | null
  /** The first fault's JSON Pointer, as if the document had been built. */
  readonly pointer: string
  /** All faults, the first one included. */
  readonly errors: readonly BuildFault[]

  constructor(first: BuildFault, errors: readonly BuildFault[]) {
    const { code, operationId, pointer, cause } = first
    super(
      `${describeFault(first)}\n${addressOfCode('openapi-build', code)}`,
      cause === undefined ? undefined : { cause },
    )
    this.code = code
    this.operationId = operationId
    this.pointer = pointer
    this.errors = errors
  }
}

/** Writes a fault's place and sentence. */
export function describeFault({ operationId, pointer, message }: BuildFault): string {
  return `${operationId ?? 'the document'}, at ${pointer || 'its root'}: ${message}`
}

/** Where a fault is. */
export interface FaultPlace {
  readonly operationId: string | null
  readonly pointer: string
  /** A JSON Pointer into a schema the document itself does not contain. */
  readonly partOfSchema?: string
}

/** A fault's code, with the facts the sentence quotes. */
export type Fault = Coded<typeof BUILD_FAULTS>

/** Records a fault. The build continues, so one run shows all faults. */
export type Report = (place: FaultPlace, fault: Fault, cause?: unknown) => void

/** Creates a fault with its sentence. */
export function buildFault(
  place: FaultPlace,
  { code, ...facts }: Fault,
  cause: unknown,
): BuildFault {
  const { operationId, pointer, partOfSchema = '' } = place
  const sentence = fillIn(BUILD_FAULTS[code], facts)
  const message = partOfSchema === '' ? sentence : `${sentence}, at ${partOfSchema} of the schema`
  return defined({ code, operationId, pointer, message, cause })
}
