import { PROFILES as PROTOCOLS, type Profile as Protocol } from '@plumbline/scim/endpoint'

/** The identity provider whose deviations from the standard are accepted. */
export type Profile = 'standard' | 'entra' | 'okta'

/** The rules for one kind of identity provider, listed in docs/providers.md. */
export interface ProfileRules {
  /** The deviations from RFC 7644 that its requests need. */
  readonly protocol: Protocol
  /** Whether the displayName of a group is unique in its tenant, ignoring case. */
  readonly hasUniqueGroupNames: boolean
}

/** The rules of each profile of a token. */
export const PROFILES: Readonly<Record<Profile, ProfileRules>> = {
  standard: rulesOf('standard'),
  entra: rulesOf('entra'),
  okta: rulesOf('okta'),
}

/** The store of groups itself keeps their names unique: it locks them, so that no race can duplicate a name. */
function rulesOf(profile: Profile): ProfileRules {
  const { unique, ...protocol } = PROTOCOLS[profile]
  return {
    protocol: { ...protocol, unique: {} },
    hasUniqueGroupNames: unique.Group?.includes('displayName') ?? false,
  }
}
