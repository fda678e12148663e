import { memoize, optionFault } from '@plumbline/base'
import { isJsonObject } from '../../json.ts'
import type { ListTolerance } from '../../message/list-query.ts'
import type { Tolerance } from '../../patch/types.ts'
import type { Rejection } from '../../rejection.ts'
import type { AttributeNode } from '../../schema/attribute-index.ts'
import { ANY, type Forms, requireMembers } from './forms.ts'
import type { ServedType, TypeView } from './resource-type.ts'

/** The deviations from the standard that one kind of client needs, and the requests it wants rejected. */
export interface Profile extends TypeView {
  /** The deviations from RFC 7644 §3.5.2 that the client's PATCH operations need. */
  readonly patch: readonly Tolerance[]
  /** The deviations that PATCH bodies need. */
  readonly patchBody: readonly 'empty-operations'[]
  /** The deviations that values written in POST, PUT and PATCH need; none by default. */
  readonly write?: readonly WriteTolerance[]
  /** The deviations that list queries need. */
  readonly query: readonly ListTolerance[]
  /**
   * More attributes that must be unique, per resource type name: strings of the core schema. The endpoint searches for
   * the value in the write's transaction, and answers `409 uniqueness`.
   */
  readonly unique: Readonly<Record<string, readonly string[]>>
  /** Requests the standard permits and this profile rejects, with `400 invalidSyntax`; none by default. */
  readonly reject?: readonly Rejection[]
  /** More members that clients find in `/ServiceProviderConfig`, in addition to the standard ones. */
  readonly declare?: Readonly<Record<string, boolean | string>>
}

/** Deviation: a departure from the standard for written values, off by default. */
export type WriteTolerance =
  /**
   * Elements without a place in the store are ignored, such as a fax number if the table has a column for the work number
   * only. Entra ID sends all three numbers of a user. Otherwise they are `400 invalidValue`.
   */
  'elements-without-a-place'

/** The names of this package's profiles. */
export type ProfileName = 'standard' | 'entra' | 'okta' | 'interop' | 'ipsie-al1' | 'ipsie-al2'

/**
 * Deviation: RFC 7644 §3.3 lets a server ignore what it does not know, and §3.5.2.3 keeps parts of a replaced value.
 * The interoperability profile, draft-zollner-scim-interop-profile-01, wants the opposite.
 */
const INTEROP: Profile = {
  patch: ['replace-whole'],
  patchBody: [],
  query: ['unknown-attributes'],
  unique: {},
  reject: ['unknown-attributes', 'missing-path'],
  canonicalTypes: ['work', 'home', 'other'],
  declare: { interopProfileConformant: true },
}

/**
 * The client profiles: `standard` for any client, `entra` for Microsoft Entra ID, and `okta` for Okta. `interop` is the
 * SCIM interoperability profile (draft-zollner-scim-interop-profile-01, April 2026), and `ipsie-al1` and `ipsie-al2`
 * are the levels of the OpenID IPSIE account lifecycle profile (draft 00, September 2026), which builds on it. These
 * three reject requests that Okta and Entra ID send.
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
    patch: ['replace-creates', 'remove-missing', 'unknown-attributes', 'unknown-value-filters'],
    patchBody: ['empty-operations'],
    write: ['elements-without-a-place'],
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
  interop: INTEROP,
  'ipsie-al1': INTEROP,
  // IPSIE draft 00 §6.1.2: no password. §6.2.1: two groups should not share a name.
  'ipsie-al2': { ...INTEROP, omit: { User: ['password'] }, unique: { Group: ['displayName'] } },
}

/** Returns the function that finds a client's profile. Throws a TypeError for an invalid profile. */
export function prepareProfile<Context>(
  profile: ProfileName | Profile | ((context: Context) => ProfileName | Profile) = 'standard',
  types: readonly ServedType<never>[],
): (context: Context) => Profile {
  const checked = memoize((given: Profile) => requireProfile(given, types))
  const profileOf = (given: ProfileName | Profile): Profile => {
    if (typeof given !== 'string') return checked(given)
    if (Object.hasOwn(PROFILES, given)) return PROFILES[given]
    throw optionFault('profile', `one of ${Object.keys(PROFILES).join(', ')}, or an object`, given)
  }
  if (typeof profile === 'function') return (context) => profileOf(profile(context))
  const found = profileOf(profile)
  return () => found
}

function requireProfile(profile: Profile, types: readonly ServedType<never>[]): Profile {
  requireMembers('profile', profile, MEMBERS)
  const members: Readonly<Record<string, unknown>> = { ...profile }
  for (const [name, known] of Object.entries(NAMES)) {
    const isOptional = name === 'reject' || name === 'write'
    const listed = members[name] ?? (isOptional ? [] : undefined)
    const wanted = `a list of ${Object.keys(known).join(', ')}`
    if (!Array.isArray(listed)) throw optionFault(`profile.${name}`, wanted, listed)
    const unknown = listed.find((one) => !Object.hasOwn(known, one))
    if (unknown !== undefined) throw optionFault(`profile.${name}`, wanted, unknown)
  }
  const { unique, omit = {}, canonicalTypes = [], declare = {} } = members
  requireAttributes('profile.unique', unique, types, isString, 'strings of the core schema')
  requireAttributes('profile.omit', omit, types, isNeverReturned, NEVER_RETURNED)
  if (!Array.isArray(canonicalTypes) || !canonicalTypes.every((one) => typeof one === 'string')) {
    throw optionFault('profile.canonicalTypes', 'a list of strings', canonicalTypes)
  }
  if (!isJsonObject(declare)) throw optionFault('profile.declare', 'an object', declare)
  return profile
}

/** Throws unless each name listed for a served type is a fitting attribute. */
function requireAttributes(
  option: string,
  given: unknown,
  types: readonly ServedType<never>[],
  fits: (node: AttributeNode) => boolean,
  wanted: string,
): void {
  if (!isJsonObject(given)) throw optionFault(option, 'an object', given)
  for (const [type, attributes] of Object.entries(given)) {
    const place = `${option}.${type}`
    if (!Array.isArray(attributes)) throw optionFault(place, 'a list of attributes', attributes)
    const served = types.find(({ name }) => name === type)
    // Endpoints with other types may share a profile.
    if (served === undefined) continue
    const nodes = [...served.index.core.attributes.values()].filter(fits)
    const missing = attributes.find((name) => !nodes.some((node) => node.name === name))
    if (missing !== undefined) throw optionFault(place, `a list of ${wanted}`, missing)
  }
}

function isString({ type, multiValued }: AttributeNode): boolean {
  return type === 'string' && !multiValued
}

function isNeverReturned({ returned, required }: AttributeNode): boolean {
  return returned === 'never' && !required
}

const NEVER_RETURNED = 'optional attributes of the core schema that are never returned'

/** The members are checked one by one. */
const MEMBERS: Forms<Profile> = {
  patch: ANY,
  patchBody: ANY,
  write: ANY,
  query: ANY,
  unique: ANY,
  reject: ANY,
  declare: ANY,
  omit: ANY,
  canonicalTypes: ANY,
}

/** The names each list may contain. */
const NAMES: {
  readonly [Name in 'patch' | 'patchBody' | 'write' | 'query' | 'reject']: Readonly<
    Record<NonNullable<Profile[Name]>[number], true>
  >
} = {
  patch: {
    'replace-creates': true,
    'remove-missing': true,
    'unknown-attributes': true,
    'unknown-value-filters': true,
    'replace-whole': true,
  },
  patchBody: { 'empty-operations': true },
  write: { 'elements-without-a-place': true },
  query: { 'unknown-attributes': true, 'text-booleans': true },
  reject: { 'unknown-attributes': true, 'missing-path': true },
}
