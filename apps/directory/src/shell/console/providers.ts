import { PROFILE_NAMES, type Profile } from '../../kernel/profiles.ts'
import { SCIM_PATH } from '../../kernel/requests/scim-path.ts'

/** An identity provider, and how an administrator connects it. */
export interface Provider {
  readonly name: string
  /** The profile for the provider's tokens. */
  readonly profile: Profile
  /** The steps in the provider before pasting the values. */
  readonly steps: readonly string[]
  /** Returns the values to paste, keyed by the provider's field names. */
  values(origin: string): readonly (readonly [field: string, value: string])[]
  /** The provider's field for the token. */
  readonly tokenField: string
  /** The last step, which sends the first request. */
  readonly test: string
}

/** Providers, keyed by name in the URL. */
export const PROVIDERS = {
  entra: {
    name: 'Microsoft Entra ID',
    profile: 'entra',
    steps: [
      'In the enterprise application, open Provisioning and choose New configuration. Older portals show Get started and the mode Automatic in its place.',
      'Choose bearer authentication, and paste these values under Admin Credentials.',
    ],
    values: (origin) => [['Tenant URL', `${origin}${SCIM_PATH}?aadOptscim062020`]],
    tokenField: 'Secret token',
    test: 'Press Test Connection.',
  },
  okta: {
    name: 'Okta',
    profile: 'okta',
    steps: [
      'In the application, enable SCIM provisioning under General.',
      'Open Provisioning, then Integration, and paste these values.',
    ],
    values: (origin) => [
      ['SCIM connector base URL', `${origin}${SCIM_PATH}`],
      ['Unique identifier field for users', 'userName'],
      ['Authentication Mode', 'HTTP Header'],
    ],
    tokenField: 'Authorization: Bearer',
    test: 'Press Test Connector Configuration.',
  },
  other: {
    name: 'Another provider',
    profile: 'standard',
    steps: ['Paste these values where the provider asks for a SCIM 2.0 service.'],
    values: (origin) => [
      ['Base URL', `${origin}${SCIM_PATH}`],
      ['Unique identifier', 'userName'],
      ['Authentication', 'OAuth bearer token'],
    ],
    tokenField: 'Token',
    test: 'Test the connection in the provider.',
  },
} as const satisfies Readonly<Record<string, Provider>>

/** A provider's name in the URL. */
export type ProviderName = keyof typeof PROVIDERS

/** Parses a provider name from a client, or null. */
export function providerOf(text: string | null): ProviderName | null {
  return text !== null && isProvider(text) ? text : null
}

/** Profile choices for a form: first the providers' profiles, shown as provider names, then all others. */
export const PROFILE_CHOICES: readonly (readonly [profile: Profile, text: string])[] = [
  ...Object.values(PROVIDERS).map(({ profile, name }) => [profile, name] as const),
  ...PROFILE_NAMES.filter((profile) => !hasProvider(profile)).map(
    (profile) => [profile, `A client of the profile ${profile}`] as const,
  ),
]

/** Whether a profile belongs to a provider. */
function hasProvider(profile: Profile): boolean {
  return Object.values(PROVIDERS).some((one) => one.profile === profile)
}

function isProvider(text: string): text is ProviderName {
  return Object.hasOwn(PROVIDERS, text)
}
