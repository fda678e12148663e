import type { ScimError } from '@plumbline/scim'
import type { Rejection } from '../access/authenticate.ts'
import type { ResourceType } from '../resources/resource-type.ts'

/** A request's span in its trace. */
export interface Trace {
  /** In hexadecimal. */
  readonly traceId: string
  readonly spanId: string
}

/** A request's details in the log. */
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

/** A response, and the facts about its request. */
export interface Answered {
  readonly response: Response
  readonly facts: Facts
}

/** The details that one part of the server knows. */
export type Facts = Partial<Outcome>

/** The facts about a request that is being answered. Its answer returns them. */
export type OpenFacts = { -readonly [Name in keyof Outcome]?: Outcome[Name] }

/** Returns a request's outcome from its facts. */
export function outcomeOf(facts: Facts): Outcome {
  // An inner answer without a fault leaves undefined.
  return { ...NOTHING, ...facts, fault: facts.fault ?? null }
}

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
