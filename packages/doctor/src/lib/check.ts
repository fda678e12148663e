import type { Feature, FilterNeed } from './features.ts'
import type { AttributeNeed, RoleNeed } from './model/attribute-needs.ts'
import type { ExaminedType } from './model/types.ts'
import type { Server } from './toolkit/server.ts'

/**
 * How strongly the standard requires a rule. `MUST`, `SHOULD` and `MAY` are the words of the sentence (RFC 2119), with
 * SHALL and REQUIRED as MUST. `defined` is behavior a section describes without such a word, and `practice` is what
 * identity providers need.
 */
export type Level = 'MUST' | 'defined' | 'SHOULD' | 'MAY' | 'practice'

/** The levels, the strongest first. */
export const LEVELS: readonly Level[] = ['MUST', 'defined', 'SHOULD', 'MAY', 'practice']

/** Whether a server that breaks a rule of this level also breaks the standard. */
export function isBinding(level: Level): boolean {
  return level === 'MUST' || level === 'defined'
}

/** The identity providers whose validators have a profile. */
export type ProviderName = 'entra' | 'okta'

/**
 * The profiles: one for each identity provider, the SCIM interoperability profile, and the levels of the OpenID IPSIE
 * account lifecycle profile, which build on it.
 */
export type ProfileName = ProviderName | 'interop' | 'ipsie-al1' | 'ipsie-al2'

/** A check's condition: a feature, an attribute in schemas or filters, or another check that must pass. */
export type Need = Feature | AttributeNeed | RoleNeed | FilterNeed | `check:${string}`

/** One rule for SCIM servers, as data. */
export interface Check {
  /** The stable name: the topic and the rule, such as `discovery.config`. */
  readonly id: string
  /** The section that requires the rule, such as `RFC 7644 §4`. */
  readonly section: string
  /** How strongly the section requires it. */
  readonly level: Level
  /**
   * At most eight words, to locate the sentence in the section, with the RFC 2119 word. Absent for a practice and for a
   * draft.
   */
  readonly quote?: string
  /** A correct server's behavior, as a sentence without a period. */
  readonly title: string
  /** The conditions the check needs: if one is missing, the check is skipped; none by default. */
  readonly needs?: readonly Need[]
  /** Returns why the check does not apply to a server with the resource types, or null. It adds to `needs`. */
  readonly missing?: (types: readonly ExaminedType[]) => string | null
  /** The likely cause of a fault, and the remedy. */
  readonly advice: string
  /** The consequence for an identity provider. */
  readonly affects?: { readonly [Name in ProviderName]?: string }
  /** The profiles the check is for. It is skipped unless one of them is used. */
  readonly profiles?: readonly ProfileName[]
  /** The profiles that need the opposite rule. The check does not run with any of them. */
  readonly notFor?: readonly ProfileName[]
  /** Throws with `fail` if the server breaks the rule, and with `skip` if the rule does not apply. */
  run(server: Server): Promise<void>
}
