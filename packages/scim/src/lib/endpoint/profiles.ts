import type { ListTolerance } from '../message/list-query.ts'
import type { Tolerance } from '../patch/types.ts'

/** The deviations from the standard that the requests of one kind of client need. */
export interface Profile {
  /** The deviations from RFC 7644 §3.5.2 that its PATCH operations need. */
  readonly patch: readonly Tolerance[]
  /** The deviations that the body of its PATCH requests needs. */
  readonly patchBody: readonly 'empty-operations'[]
  /** The deviations that its list queries need. */
  readonly query: readonly ListTolerance[]
  /**
   * More attributes that must be unique, by the name of the resource type: strings of the core schema. The endpoint
   * searches for the value in the transaction of the write, and answers `409 uniqueness`.
   */
  readonly unique: Readonly<Record<string, readonly string[]>>
}

/** The names of the profiles of this package. */
export type ProfileName = 'standard' | 'entra' | 'okta'

/**
 * The profiles of clients: `standard` for any client, `entra` for Microsoft Entra ID, and `okta` for Okta.
 *
 * @example
 * ```ts
 * import { PROFILES } from '@plumbline/scim/endpoint'
 *
 * PROFILES.entra.unique //=> { Group: ['displayName'] }
 * ```
 */
export const PROFILES: Readonly<Record<ProfileName, Profile>> = {
  standard: { patch: [], patchBody: [], query: ['unknown-attributes'], unique: {} },
  entra: {
    patch: ['replace-creates', 'remove-missing', 'unknown-attributes'],
    patchBody: ['empty-operations'],
    query: ['unknown-attributes', 'text-booleans'],
    // Its validator creates a group twice, and expects the second request to fail.
    unique: { Group: ['displayName'] },
  },
  okta: {
    patch: ['remove-missing', 'unknown-attributes'],
    patchBody: [],
    query: ['unknown-attributes', 'text-booleans'],
    unique: {},
  },
}
