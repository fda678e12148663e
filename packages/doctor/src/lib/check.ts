import type { AttributeNeed, Feature, FilterNeed } from './features.ts'
import type { Server } from './toolkit/server.ts'

/** How strongly the standard requires a rule (RFC 2119), or `practice` for the needs of identity providers. */
export type Level = 'MUST' | 'SHOULD' | 'MAY' | 'practice'

/** The identity providers whose validators have a profile. */
export type ProviderName = 'entra' | 'okta'

/** A condition of a check: a feature, an attribute of the schemas or of filters, or another check that passed. */
export type Need = Feature | AttributeNeed | FilterNeed | `check:${string}`

/** One rule for SCIM servers, as data. */
export interface Check {
  /** The stable name: the topic and the rule, such as `discovery.config`. */
  readonly id: string
  /** The section that requires the rule, such as `RFC 7644 §4`. */
  readonly section: string
  /** How strongly the section requires it. */
  readonly level: Level
  /** The behavior of a correct server, as a sentence without a period. */
  readonly title: string
  /** The conditions without which the check is skipped; none by default. */
  readonly needs?: readonly Need[]
  /** The likely cause of a fault and its remedy. */
  readonly advice: string
  /** The consequence for an identity provider. */
  readonly affects?: { readonly [Name in ProviderName]?: string }
  /** The profiles that the check is for. It is skipped without one of them. */
  readonly profiles?: readonly ProviderName[]
  /** The profiles that need the opposite of this rule. The check does not run with one of them. */
  readonly notFor?: readonly ProviderName[]
  /** Throws a Finding if the server breaks the rule, or a Skipped if the rule does not apply. */
  run(server: Server): Promise<void>
}
