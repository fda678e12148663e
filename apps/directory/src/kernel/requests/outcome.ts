import type { ScimError } from '@plumbline/scim'
import type { Rejection } from '../access/authenticate.ts'
import type { ResourceType } from '../resources/resource-type.ts'

/** A request's span in its trace. */
export interface Trace {
  /** In hexadecimal. */
  readonly traceId: string
  readonly spanId: string
}

/** Details found while a request is answered. */
export interface Outcome {
  /** The route's pattern; null if no route matched. */
  readonly route: string | null
  /** The token's tenant; null without a valid token. */
  readonly tenantId: string | null
  /** The token's id; null without a valid token, and for `DIRECTORY_TOKEN`. */
  readonly tokenId: string | null
  /** The internal error behind a 500 or 503, also within a bulk request; otherwise null. */
  readonly fault: unknown
  /** The tenant's resource types; null without a valid token. */
  readonly types: readonly ResourceType[] | null
  /** Why the credentials were rejected. */
  readonly rejection: Rejection | null
  /** A SCIM request's resource; null without a valid token. */
  readonly subject: Subject | null
  /** The part of the answer shown in the provisioning log; null for requests it doesn't contain. */
  readonly answer: LoggedAnswer | null
  /** Null without OpenTelemetry. */
  readonly trace: Trace | null
}

/** A request's resource, and a user's userName. Stores note both. */
export interface Subject {
  resourceId: string | null
  userName: string | null
}

/** The answer to a SCIM request, or to a rejected OAuth client. */
export interface LoggedAnswer {
  /** The route below the SCIM endpoint, or `/scim/oauth/token`; null if no route matched. */
  readonly route: string | null
  /** The id in the path; empty without one. */
  readonly id: string
  readonly error: ScimError | null
  /** The request's JSON body, if it was read. */
  readonly body: unknown
  /** Unknown attributes in a PATCH, which the profile ignores. */
  readonly ignored: readonly string[]
}

/** Adds details to a request's outcome. The first fault stays, and other details replace earlier ones. */
export function report(request: Request, facts: Partial<Outcome>): void {
  const before = outcomeOf(request)
  const fault = before.fault ?? facts.fault ?? null
  ;(request as Holder)[OUTCOME] = { ...before, ...facts, fault }
}

/** Returns a request's outcome, as far as it was reported. */
export function outcomeOf(request: Request): Outcome {
  return (request as Holder)[OUTCOME] ?? NOTHING
}

interface Holder {
  [OUTCOME]?: Outcome
}

// A property: a WeakMap with many short-lived keys costs a tenth of the server's processor time.
const OUTCOME: unique symbol = Symbol('outcome')
const NOTHING: Outcome = {
  route: null,
  tenantId: null,
  tokenId: null,
  fault: null,
  types: null,
  rejection: null,
  subject: null,
  answer: null,
  trace: null,
}
