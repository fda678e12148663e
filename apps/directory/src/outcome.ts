import type { ScimError } from '@plumbline/scim'
import type { Rejection } from './auth/authenticate.ts'
import type { ResourceType } from './resources/resource-type.ts'

/** The facts about a request that are found while it is answered. */
export interface Outcome {
  /** The route's pattern; null if no route matched. */
  readonly route: string | null
  /** The token's tenant; null without a valid token. */
  readonly tenantId: string | null
  /** The token's id; null without a valid token, and for that of `DIRECTORY_TOKEN`. */
  readonly tokenId: string | null
  /** The internal error behind a 500 or 503, also of an operation of a bulk request; null without one. */
  readonly fault: unknown
  /** The resource types of the tenant; null without a valid token. */
  readonly types: readonly ResourceType[] | null
  /** Why the credentials were rejected. */
  readonly rejection: Rejection | null
  /** The resource that a SCIM request is about; null without a valid token. */
  readonly subject: Subject | null
  /** The part of the answer the provisioning log shows; null for a request that it does not contain. */
  readonly answer: LoggedAnswer | null
}

/** The resource a request is about, and the userName of a user. Stores note both. */
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
  /** The JSON body of the request, if it was read. */
  readonly body: unknown
  /** The attributes of a PATCH that do not exist and that the profile ignored. */
  readonly ignored: readonly string[]
}

/** Adds facts to a request's outcome. The first fault stays, and other facts replace earlier ones. */
export function report(request: Request, facts: Partial<Outcome>): void {
  const before = outcomeOf(request)
  const fault = before.fault ?? facts.fault ?? null
  ;(request as Holder)[OUTCOME] = { ...before, ...facts, fault }
}

/** A request's outcome, as far as it was reported. */
export function outcomeOf(request: Request): Outcome {
  return (request as Holder)[OUTCOME] ?? NOTHING
}

interface Holder {
  [OUTCOME]?: Outcome
}

// A property: a WeakMap with many short-lived keys costs a tenth of the processor time of the server.
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
}
