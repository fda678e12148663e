import type { Result } from '@plumbline/result'
import { USER_SCHEMA } from '../constants.ts'
import { resultOf, type ScimError } from '../error.ts'
import type { User } from '../model.ts'
import { USER_DEFINITION } from '../schema/core-schemas.ts'
import { MAX_VALUES } from '../schema/value-list.ts'
import { createMemberCount } from '../values/member-count.ts'
import {
  DEFAULT_EXTENSIONS,
  type ExtensionSchemas,
  type InferExtensions,
  userExtensions,
  writeExtensions,
} from './extensions.ts'
import { readResource } from './parse-resource.ts'
import { BODY_RULES, type ReadRules } from './read-members.ts'
import { writeWithExtensions } from './write-resource.ts'

/** The `parseUser` options (RFC 7643 §4.1). */
export interface ParseUserOptions<Extensions extends ExtensionSchemas = ExtensionSchemas> {
  /**
   * The extensions to read. They replace the default, the Enterprise User under the key `enterprise`, so list it
   * again if it is still accepted.
   */
  readonly extensions?: Extensions | undefined
  /** How many values a multi-valued attribute may have; 5,000 by default. */
  readonly maxValues?: number | undefined
}

/** The `userResource` options (RFC 7643 §3.3). */
export interface ResourceOptions {
  /** The extensions with which `parseUser` read the user. They name each URN. */
  readonly extensions?: ExtensionSchemas | undefined
}

/**
 * Reads a user body.
 *
 * Names match in any letter case. Null, empty lists and members without a definition are omitted. A value with the same
 * `type` and `value` as an earlier one is dropped. Well-formed read-only members (`id`, `meta`, `groups`) are read, and
 * malformed ones are ignored, because a service provider sets its own. Fails with `400 invalidValue` and the member's
 * path in the message, with `tooMany` if an attribute has more than `maxValues` values or the body more than 1,000
 * members without a definition, or with `invalidSyntax` if the body is not an object.
 *
 * @example
 * ```ts
 * import { parseUser } from '@plumbline/scim'
 * import { unwrap } from '@plumbline/result'
 *
 * const user = unwrap(parseUser({ UserName: 'bjensen', name: null, active: 'True' }))
 * user //=> { userName: 'bjensen', active: true, extensions: {} }
 * ```
 * @see RFC 7643 §4.1, RFC 7643 §2.4, RFC 7644 §3.3
 */
export function parseUser(
  body: unknown,
  options?: { readonly extensions?: undefined; readonly maxValues?: number | undefined },
): Result<User, ScimError>
export function parseUser<const Extensions extends ExtensionSchemas>(
  body: unknown,
  options: ParseUserOptions<Extensions>,
): Result<User<InferExtensions<Extensions>>, ScimError>
export function parseUser(
  body: unknown,
  { extensions, maxValues = MAX_VALUES }: ParseUserOptions = {},
): Result<User<never>, ScimError> {
  const count = createMemberCount()
  const rules: ReadRules = { ...BODY_RULES, maxValues, count }
  return resultOf(() => {
    const read = readResource(definitions, body, userExtensions(extensions, rules), rules)
    return {
      // The definition has the same names and types as User.
      ...(read.members as unknown as User),
      // The extensions' schemas determine the types of these values.
      extensions: read.extensions as never,
    }
  })
}

/**
 * Writes a user as a response's wire object.
 *
 * `schemas` lists the core schema and each extension that is present. Dates are RFC 3339 strings. The password and
 * empty values are omitted.
 *
 * @example
 * ```ts
 * import { userResource } from '@plumbline/scim'
 *
 * const user = { userName: 'bjensen', password: 'x', emails: [], extensions: {} }
 * const { schemas, ...rest } = userResource(user)
 * rest //=> { userName: 'bjensen' }
 * ```
 * @see RFC 7643 §4.1
 */
export function userResource(
  user: User<unknown>,
  { extensions }: ResourceOptions = {},
): Record<string, unknown> {
  const carried = writeExtensions(Object(user.extensions ?? {}), extensions ?? DEFAULT_EXTENSIONS)
  return writeWithExtensions(user, definitions, carried)
}

const definitions = { [USER_SCHEMA]: USER_DEFINITION }
