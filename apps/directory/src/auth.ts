import type { Patch } from '@plumbline/scim/patch'
import type { Store } from './store/store.ts'
import {
  DEFAULT_TENANT,
  findToken,
  isSameText,
  isStale,
  type Profile,
  type Role,
  touchToken,
} from './store/tokens.ts'

/** Whom a request comes from. */
export interface Principal {
  readonly tenantId: string
  readonly role: Role
  readonly profile: Profile
  /** The user whom `/Me` shows, or null. */
  readonly userId: string | null
}

/** What a request is authenticated with. */
export interface Authority {
  readonly store: Store
  /** A token of the environment, or null. */
  readonly token: string | null
  readonly now: () => number
}

/** The principal of a bearer token (RFC 6750 §2.1); null for none, or one that nobody has given out. */
export async function authenticate(
  request: Request,
  { store, token, now }: Authority,
): Promise<Principal | null> {
  const header = request.headers.get('Authorization') ?? ''
  const text = /^Bearer +([\w.~+/=-]{1,500}) *$/i.exec(header)?.[1]
  if (text === undefined) return null
  if (token !== null && isSameText(text, token)) {
    return { tenantId: DEFAULT_TENANT, role: 'admin', profile: 'standard', userId: null }
  }
  const row = await store.read((db) => findToken(db, text))
  if (row === null) return null
  const time = now()
  if (isStale(row, time)) await store.write((db) => touchToken(db, row, time))
  return {
    tenantId: row.tenant_id,
    role: row.role === 'admin' ? 'admin' : 'client',
    profile: profileOf(row.profile),
    userId: row.user_id,
  }
}

/** The departures from the standard that a provider's requests need; see the README. */
export function tolerancesOf(profile: Profile): readonly Patch.Tolerance[] {
  return TOLERANCES[profile]
}

function profileOf(text: string): Profile {
  return text === 'entra' || text === 'okta' ? text : 'standard'
}

const TOLERANCES: Readonly<Record<Profile, readonly Patch.Tolerance[]>> = {
  standard: [],
  entra: ['replace-creates', 'remove-missing'],
  okta: ['remove-missing'],
}
