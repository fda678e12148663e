import type { ScimError } from '@plumbline/scim'
import type { Rejection } from '../../../kernel/access/authenticate.ts'

/** The parts of a logged request that decide why it was rejected. */
export interface RejectedRequest {
  readonly status: number
  readonly scimType: string | null
  readonly rejection: Rejection['reason'] | null
}

/** Explains in plain words why a request was rejected and what to do about it; null for a success. */
export function explainRequest({ status, scimType, rejection }: RejectedRequest): string | null {
  if (status < 400) return null
  if (rejection !== null) return REJECTIONS[rejection]
  if (scimType !== null && isErrorType(scimType)) return SCIM_TYPES[scimType]
  return STATUSES.get(status) ?? (status < 500 ? STATUSES.get(400) : STATUSES.get(500)) ?? null
}

type ErrorType = NonNullable<ScimError['scimType']>

function isErrorType(scimType: string): scimType is ErrorType {
  return Object.hasOwn(SCIM_TYPES, scimType)
}

/** Reasons for a `401` or a `403` that only the log knows. */
const REJECTIONS: Readonly<Record<Rejection['reason'], string>> = {
  missing:
    'The request did not have a bearer token. Enter the token in the settings of the provider.',
  unknown: 'The token is not known: it may be mistyped, or cut off when it was copied.',
  revoked: 'The token was revoked. Create a new one and enter it in the settings of the provider.',
  expired: 'The token has expired. Create a new one and enter it in the settings of the provider.',
  'other-tenant':
    'The token belongs to another tenant than the path. Check the base URL in the settings of the provider.',
  'unknown-client':
    'An access token was requested with a client id that is not known. Compare it with the page of the OAuth client.',
  'wrong-secret':
    'An access token was requested with a wrong secret: it may be mistyped, or it was replaced and its overlap has ended. Rotate the secret and enter the new one in the settings of the provider.',
  'wrong-assertion':
    'An access token was requested with a JWT that is not valid: its signature, its claims, its expiry, or it was sent twice. Compare the public keys on the page of the OAuth client, and the clock of the provider.',
  disabled: 'The tenant of the token is disabled. Enable it on the page Settings of the tenant.',
}

/** Codes from RFC 7644 §3.12, Table 9, and RFC 9865 §2. */
const SCIM_TYPES: Readonly<Record<ErrorType, string>> = {
  invalidFilter:
    'The filter is not valid, or it compares an attribute that does not exist or cannot be compared in this way. Check by which attribute the provider matches users and groups.',
  tooMany:
    'The request needs more work than the directory permits. The provider should send fewer values in one request, or use a filter that selects fewer resources.',
  uniqueness:
    'Another resource has the same value, which must be unique. Often the provider lost the link to an existing user and tries to create it again.',
  mutability:
    'The request changes an attribute that clients cannot change, or removes a required one. Remove the attribute from the mappings of the provider.',
  invalidSyntax:
    'The body does not have the structure that SCIM requires. The detail names the part that is wrong.',
  invalidPath:
    'A PATCH names an attribute that is not in a schema of the tenant. Register an extension schema with the attribute, or remove it from the mappings.',
  noTarget:
    'A PATCH changes a value that does not exist, such as an email of a type that the user does not have. A token with the profile of the provider accepts some of these requests.',
  invalidValue:
    'A value has the wrong type or is missing. The detail names the attribute. Check its mapping.',
  invalidVers: 'The client uses another version of SCIM. The directory serves version 2.0.',
  sensitive: 'The URL contains a value that must not be in a URL. The client must search by POST.',
  invalidCursor: 'The cursor is not of this list. The client must start again with the first page.',
  expiredCursor: 'The cursor has expired. The client must start again with the first page.',
  invalidCount: 'The size of the page is not valid.',
}

/** The statuses without a code. */
const STATUSES: ReadonlyMap<number, string> = new Map([
  [400, 'The request is not valid. The detail says why.'],
  [401, 'The token was rejected.'],
  [403, 'The token does not permit this request, for example because it may only read.'],
  [
    404,
    'The resource does not exist, or it was deleted. A provider that looks for a user before it creates one causes this too.',
  ],
  [405, 'The path does not support this method.'],
  [409, 'The request conflicts with another one, or with the state of the resource.'],
  [
    412,
    'The resource was changed since the client read it. The client must read it again and repeat the change.',
  ],
  [413, 'The body or the resource is larger than the directory accepts.'],
  [415, 'The body is not JSON, or its media type is not application/scim+json.'],
  [429, 'The token has sent more requests than its limit. The client must wait and try again.'],
  [499, 'The client closed the connection before the answer.'],
  [500, 'An error of the directory. The log of the server has the request id and the cause.'],
  [501, 'The directory does not support this request.'],
  [
    503,
    'The database did not answer in time, or the directory has too much to do. The client should try again.',
  ],
])
