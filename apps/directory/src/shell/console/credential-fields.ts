import type { Access, Role } from '../../kernel/access/token-store.ts'
import { type Profile, profileOf } from '../../kernel/profiles.ts'
import { field, select } from './components/form.ts'
import type { ConsoleContext } from './context.ts'
import type { Part } from './html.ts'
import { PROFILE_CHOICES } from './providers.ts'

/** Properties tokens and OAuth clients share. */
export interface CredentialFields {
  readonly name: string
  readonly profile: Profile
  readonly access: Access
}

/** Form fields for creating a token or an OAuth client. */
export function credentialFields(
  { form }: Pick<ConsoleContext, 'form'>,
  {
    errors,
    hasProfile = true,
    hasReceiver = false,
  }: {
    readonly errors: Readonly<Record<string, string>>
    /** Whether a provider uses it. */
    readonly hasProfile?: boolean
    /** Whether it may be for an application; false by default. */
    readonly hasReceiver?: boolean
  },
): readonly Part[] {
  const value = (name: string) => form.get(name) ?? undefined
  return [
    field({
      name: 'name',
      label: 'Name',
      isRequired: true,
      maxLength: 200,
      hint: 'The provider or the person that uses it.',
      value: value('name'),
      error: errors.name,
    }),
    hasProfile &&
      select({
        name: 'profile',
        label: 'Provider',
        value: value('profile'),
        hint: 'Decides which deviations from the standard are accepted, and which requests are rejected.',
        choices: PROFILE_CHOICES,
      }),
    select({
      name: 'access',
      label: 'Permits',
      value: value('access'),
      choices: [
        ['write', ACCESS.write],
        ['read', ACCESS.read],
        ...(hasReceiver ? [[RECEIVER, RECEIVES] as const] : []),
      ],
    }),
  ]
}

/** Reads a posted form's fields. */
export function readCredentialFields(form: URLSearchParams): CredentialFields {
  return {
    name: form.get('name') ?? '',
    profile: profileOf(form.get('profile') ?? ''),
    access: form.get('access') === 'read' ? 'read' : 'write',
  }
}

/** Describes the permissions for a token or an OAuth client. */
export function permits(
  credential: Omit<CredentialFields, 'name'> & Pick<Permission, 'role'>,
): string {
  return `${accessText(credential)}, profile ${credential.profile}`
}

/** The role and the access of a token. An OAuth client does not have a role. */
interface Permission {
  readonly role?: Role | null
  readonly access: Access
}

/** Describes what a token permits, without its profile. */
export function accessText({ role = 'client', access }: Permission): string {
  if (role === null) return 'nothing: this version does not know its role'
  return role === 'receiver' ? RECEIVES : ACCESS[access]
}

/** The choice of the role `receiver` in the form of a tenant's token. */
export const RECEIVER = 'receiver'
const RECEIVES = 'reading, and the feed of changes, for an application'

/** Each access's permissions, in words. */
export const ACCESS: Readonly<Record<Access, string>> = {
  write: 'reading and writing',
  read: 'reading only',
}
