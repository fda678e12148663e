import type { Store } from '../store/store.ts'
import type { ClientRow } from '../store/tables.ts'
import { type AccessToken, readAccessToken } from './access-token.ts'
import { isValidRevision } from './client-store.ts'
import { accessTokenKey, knownAccessTokenKey } from './signing-key.ts'
import { lookUpClient } from './token-cache.ts'

/** An access token, and why it is rejected. */
export type CheckedAccessToken =
  | { readonly reason: null; readonly token: AccessToken; readonly client: ClientRow }
  | { readonly reason: 'expired' | 'revoked'; readonly token: AccessToken }
  | { readonly reason: 'unknown'; readonly token: null }

/**
 * Checks an access token's signature and expiry, and that the client and the client secret behind it still exist. The
 * client is looked up once a second.
 */
export async function checkAccessToken(
  text: string,
  store: Store,
  time: number,
): Promise<CheckedAccessToken> {
  const token = readAccessToken(text, await accessTokenKey(store))
  if (token === null) return { reason: 'unknown', token }
  if (token.expiresAt <= time) return { reason: 'expired', token }
  const isValid = (row: ClientRow): boolean => isValidRevision(row, token.revision, time)
  const client = await lookUpClient(token.clientId, store, { time, isValid })
  return client !== null && isValid(client)
    ? { reason: null, token, client }
    : { reason: 'revoked', token }
}

/** Whether a token is an access token issued for this database. It may have expired. */
export function isIssued(text: string, store: Store): boolean {
  const key = knownAccessTokenKey(store)
  return key !== null && readAccessToken(text, key) !== null
}
