import type { ListTolerance } from '@plumbline/scim'
import type { Patch } from '@plumbline/scim/patch'

/** The identity provider whose deviations from the standard are accepted. */
export type Profile = 'standard' | 'entra' | 'okta'

/** The rules for one kind of identity provider, which the README lists. */
export interface ProfileRules {
  /** The deviations from RFC 7644 §3.5.2 that its PATCH operations need. */
  readonly tolerate: readonly Patch.Tolerance[]
  /** The deviations that the body of its PATCH requests needs. */
  readonly tolerateBody: readonly 'empty-operations'[]
  /** The deviations that its list queries need. */
  readonly tolerateQuery: readonly ListTolerance[]
  /** Whether the displayName of a group is unique in its tenant, ignoring case. */
  readonly hasUniqueGroupNames: boolean
}

/** The rules of each profile of a token. */
export const PROFILES: Readonly<Record<Profile, ProfileRules>> = {
  standard: {
    tolerate: [],
    tolerateBody: [],
    tolerateQuery: ['unknown-attributes'],
    hasUniqueGroupNames: false,
  },
  entra: {
    tolerate: ['replace-creates', 'remove-missing', 'unknown-attributes'],
    tolerateBody: ['empty-operations'],
    tolerateQuery: ['unknown-attributes', 'text-booleans'],
    hasUniqueGroupNames: true,
  },
  okta: {
    tolerate: ['remove-missing', 'unknown-attributes'],
    tolerateBody: [],
    tolerateQuery: ['unknown-attributes', 'text-booleans'],
    hasUniqueGroupNames: false,
  },
}
