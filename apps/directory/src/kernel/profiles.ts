import { PROFILES, type ProfileName, type Profile as Protocol } from '@plumbline/scim/endpoint'
import { memoize } from './memoize.ts'

/** The kind of client: which deviations from the standard are accepted, and which requests are rejected. */
export type Profile = ProfileName

/** The rules for one kind of client, listed in docs/providers.md. */
export interface ProfileRules {
  /** Deviations from RFC 7644 the requests need. */
  readonly protocol: Protocol
  /** Whether a group's displayName is unique in the tenant, ignoring case. */
  readonly hasUniqueGroupNames: boolean
}

/** All profile names, `standard` first. */
export const PROFILE_NAMES: readonly Profile[] = Object.keys(PROFILES).filter(isProfile)

/** Returns a token's profile; `standard` if the name is unknown. */
export function profileOf(text: string): Profile {
  return isProfile(text) ? text : 'standard'
}

/** Returns a profile's rules: the same value each time. */
export function rulesOf(profile: Profile): ProfileRules {
  return rules.get(PROFILES[profile])
}

/** Unique group names are left to the group store: it locks them, so no race can duplicate a name. */
const rules = memoize(
  ({ unique, ...protocol }: Protocol): ProfileRules => ({
    protocol: { ...protocol, unique: {} },
    hasUniqueGroupNames: unique.Group?.includes('displayName') ?? false,
  }),
)

function isProfile(text: string): text is Profile {
  return Object.hasOwn(PROFILES, text)
}
