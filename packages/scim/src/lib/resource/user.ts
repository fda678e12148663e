import type { Result } from '@plumbline/result'
import { USER_SCHEMA } from '../constants.ts'
import { resultOf, type ScimError } from '../message/error.ts'
import type { User } from '../model.ts'
import { USER_DEFINITION } from '../schema/core-schemas.ts'
import { MAX_VALUES } from '../value-limit.ts'
import {
  DEFAULT_EXTENSIONS,
  type ExtensionSchemas,
  type InferExtensions,
  userExtensions,
  writeExtensions,
} from './extensions.ts'
import { readResource } from './parse-resource.ts'
import type { ReadRules } from './read.ts'
import { writeWithExtensions } from './write-resource.ts'

export interface ParseUserOptions<Extensions extends ExtensionSchemas = ExtensionSchemas> {
  /**
   * The extensions to read, in place of the default: the Enterprise User under the key `enterprise`,
   * which has to be listed again where it is still accepted.
   */
  readonly extensions?: Extensions | undefined
  /** How many values a multi-valued attribute may have; 5,000 by default. */
  readonly maxValues?: number | undefined
}

export interface ResourceOptions {
  /** The extensions that `parseUser` read the user with; they name each URN. */
  readonly extensions?: ExtensionSchemas | undefined
}

/**
 * Reads the body of a user.
 *
 * Names match in any letter case; null and empty lists are absence; members that are not of the schema
 * are ignored. A value that repeats the `type` and `value` of an earlier one is dropped. Fails with
 * `400 invalidValue`, whose message names the member with its path, with `tooMany` if an attribute has more
 * than `maxValues` values, or with `invalidSyntax` if the body is not an object. Read-only members (`id`, `meta`, `groups`) are read as well, and ignored if they are
 * malformed: a service provider sets its own.
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
  const rules: ReadRules = { form: 'model', keepReadOnly: true, maxValues }
  return resultOf(() => {
    const read = readResource(definitions, body, userExtensions(extensions, rules), rules)
    return {
      // The definition is that of User, name for name and type for type.
      ...(read.members as unknown as User),
      // The schemas of the extensions gave these values their types.
      extensions: read.extensions as never,
    }
  })
}

/**
 * Writes a user as the wire object of a response.
 *
 * `schemas` lists the core schema and the extensions that are there; dates are RFC 3339 text; the
 * password and what is empty are left out.
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
