import type { Change } from '@plumbline/scim/endpoint'
import { SignJWT } from 'jose/jwt/sign'
import { RESOURCE_TYPES } from '../../kernel/resources/resource-types.ts'
import { writeCursor } from '../../kernel/store/cursor.ts'
import type { ChangeRow } from './change-row.ts'

/** A key for signing Security Event Tokens. */
export interface EventKey {
  readonly kid: string
  readonly key: CryptoKey
}

/** The signing key for a Security Event Token, and the claims that depend on the receiver. */
export interface EventOptions {
  /** The claim `iss`: this server's origin. */
  readonly issuer: string
  /** The claim `aud`. */
  readonly audience: string
  readonly key: EventKey
}

/** The change columns needed in a token. */
export type EventRow = Pick<ChangeRow, 'tenant_id' | 'position' | 'change'> & {
  readonly epoch: string
}

/**
 * Writes a change as a Security Event Token (RFC 8417, RFC 9967), signed with ES256. A change always has the same
 * claims, so receivers recognize repeated tokens by the `jti`.
 */
export async function writeSecurityEvent(
  row: EventRow,
  { issuer, audience, key }: EventOptions,
): Promise<string> {
  const change: Change = JSON.parse(row.change)
  const header = { alg: 'ES256', typ: 'secevent+jwt', kid: key.kid }
  const claims = {
    iss: issuer,
    aud: audience,
    iat: Math.floor(Date.parse(change.time) / 1_000),
    jti: eventId(row),
    txn: change.requestId,
    sub_id: subjectOf(change),
    events: eventsOf(change),
  }
  return await new SignJWT(claims).setProtectedHeader(header).sign(key.key)
}

/** Returns a change's `jti`, which is the same for each receiver, and unique also after a restore (RFC 8417 §2.2). */
function eventId(row: EventRow): string {
  return `${row.tenant_id}.${writeCursor(row, row.position)}`
}

/** Event URIs for changes (RFC 9967 §2.4), for the ServiceProviderConfig. */
export const EVENT_URIS: readonly string[] = [
  'create:notice',
  'patch:notice',
  'patch:full',
  'delete',
  'activate',
  'deactivate',
].map(uriOf)

// RFC 9967 §2.1
function subjectOf({ resourceType, id, externalId }: Change) {
  const endpoint = RESOURCE_TYPES.find(({ name }) => name === resourceType)?.endpoint
  const subject = { format: 'scim', uri: `${endpoint ?? `/${resourceType}s`}/${id}` }
  return externalId === null ? subject : { ...subject, externalId }
}

function eventsOf(change: Change): Readonly<Record<string, object>> {
  if ('added' in change) return { [uriOf('patch:full')]: { data: patchOf(change) } }
  if ('attributes' in change) {
    return { [uriOf('patch:notice')]: { attributes: change.attributes } }
  }
  const kind = change.type.slice(change.type.indexOf('.') + 1)
  if (kind === 'created') {
    // RFC 9967 §2.4: to get the other attributes, a receiver reads the resource.
    const attributes = ['id', ...(change.externalId === null ? [] : ['externalId'])]
    return { [uriOf('create:notice')]: { attributes } }
  }
  const names = { deleted: 'delete', deactivated: 'deactivate', reactivated: 'activate' }
  return { [uriOf(names[kind as keyof typeof names])]: {} }
}

/** Builds the PATCH with the same effect as a membership change (RFC 9967 §2.4.2). */
function patchOf({ added, removed }: Extract<Change, { readonly added: unknown }>) {
  const values = added.map((value) => ({ value }))
  const addition = { op: 'add', path: 'members', value: values }
  const removals = removed.map((value) => {
    return { op: 'remove', path: `members[value eq ${JSON.stringify(value)}]` }
  })
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [...(added.length === 0 ? [] : [addition]), ...removals],
  }
}

function uriOf(name: string): string {
  return `urn:ietf:params:scim:event:prov:${name}`
}
