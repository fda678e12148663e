import { PROFILES, type ProfileName, type Profile as Protocol } from '@plumbline/scim/endpoint'
import { memoize } from './memoize.ts'

/** The kind of client: which deviations from the standard are accepted, and which requests are rejected. */
export type Profile = ProfileName

/** The rules for one kind of client, listed in docs/providers.md. */
export interface ProfileRules {
  /** The deviations from RFC 7644 that its requests need. */
  readonly protocol: Protocol
  /** Whether the displayName of a group is unique in its tenant, ignoring case. */
  readonly hasUniqueGroupNames: boolean
}

/** The names of all profiles, `standard` first. */
export const PROFILE_NAMES: readonly Profile[] = Object.keys(PROFILES).filter(isProfile)

/** The profile of a token; `standard` if its name is unknown. */
export function profileOf(text: string): Profile {
  return isProfile(text) ? text : 'standard'
}

/** The rules of the profile of a token: the same value each time. */
export function rulesOf(profile: Profile): ProfileRules {
  return rules.get(PROFILES[profile])
}

/** The store of groups itself keeps their names unique: it locks them, so that no race can duplicate a name. */
const rules = memoize(
  ({ unique, ...protocol }: Protocol): ProfileRules => ({
    protocol: { ...protocol, unique: {} },
    hasUniqueGroupNames: unique.Group?.includes('displayName') ?? false,
  }),
)

function isProfile(text: string): text is Profile {
  return Object.hasOwn(PROFILES, text)
}
