import type { Result } from '@plumbline/result'
import { invalidValue, resultOf, type ScimError } from '../error.ts'
import type { JsonObject } from '../json.ts'
import { requireObject } from '../message/members.ts'
import { attributeIndex } from '../schema/attribute-index.ts'
import type { Definitions } from '../schema/types.ts'
import { MAX_VALUES } from '../schema/value-list.ts'
import { fold } from '../values/fold.ts'
import { definedExtensions, type ReadableExtension, readExtensions } from './extensions.ts'
import { type ReadRules, readMembers } from './read-members.ts'
import { resourceAttributes } from './resource-attributes.ts'

/** The options of `parseResource` (RFC 7643 §3). */
export interface ParseResourceOptions {
  /**
   * Whether well-formed read-only members, such as `id` and `meta`, are kept. Set it to check a resource of your
   * own, such as the result of `applyPatch`. False by default, because a service provider ignores the
   * read-only members of a request (RFC 7644 §3.3).
   */
  readonly keepReadOnly?: boolean | undefined
  /** How many values a multi-valued attribute other than `members` may have; 5,000 by default. */
  readonly maxValues?: number | undefined
}

/**
 * Reads the body of any resource type by its definitions, the core schema first, as a wire resource.
 *
 * The names of the result are spelled as the definitions spell them, extensions are under their URN, and
 * `schemas` lists the core schema and the extensions that are present. Names match in any letter case; null,
 * empty lists and members without a definition are omitted. A value that repeats the `type` and `value` of an
 * earlier one is dropped. Fails with `400 invalidValue`, whose message names the member with its path, for a
 * missing required member, a value of the wrong type or a second primary value; with `tooMany` if an attribute
 * has more than `maxValues` values; with `invalidSyntax` if the body is not an object. Throws a `TypeError`
 * for definitions without a schema.
 *
 * @example
 * ```ts
 * import { parseResource } from '@plumbline/scim'
 * import { unwrap } from '@plumbline/result'
 *
 * const DEVICE = 'urn:ietf:params:scim:schemas:core:2.0:Device'
 * const definitions = {
 *   [DEVICE]: {
 *     id: DEVICE,
 *     name: 'Device',
 *     attributes: [
 *       { name: 'displayName', type: 'string' },
 *       { name: 'active', type: 'boolean', required: true },
 *     ],
 *   },
 * } as const
 * const device = unwrap(parseResource(definitions, { id: '7', DISPLAYNAME: 'Lamp', active: 'True' }))
 * device //=> { schemas: [DEVICE], displayName: 'Lamp', active: true }
 * ```
 * @see RFC 7643 §2, RFC 7643 §3, RFC 7644 §3.3
 */
export function parseResource(
  definitions: Definitions,
  body: unknown,
  { keepReadOnly = false, maxValues = MAX_VALUES }: ParseResourceOptions = {},
): Result<Record<string, unknown>, ScimError> {
  const rules: ReadRules = { form: 'wire', keepReadOnly, maxValues }
  const { core } = attributeIndex(definitions)
  return resultOf(() => {
    const carriers = definedExtensions(definitions, rules)
    const { members, extensions } = readResource(definitions, body, carriers, rules)
    return { schemas: [core.id, ...Object.keys(extensions)], ...members, ...extensions }
  })
}

/** The parts of a body: the members of the core schema, and the extensions by their key. */
export interface ReadResource {
  readonly members: JsonObject
  readonly extensions: JsonObject
}

/** Reads a body by the core schema of `definitions` and by `extensions`. Throws a ScimError. */
export function readResource(
  definitions: Definitions,
  body: unknown,
  extensions: readonly ReadableExtension[],
  rules: ReadRules,
): ReadResource {
  const resource = requireObject(body, 'the body')
  const index = attributeIndex(definitions)
  requireCoreSchema(resource, index.core.id)
  return {
    members: readMembers(resource, resourceAttributes(index), '', rules),
    extensions: readExtensions(resource, extensions),
  }
}

/**
 * If there is a `schemas` member, it must list the core schema.
 *
 * Deviation: RFC 7643 §3 requires the list, but many clients omit it.
 */
function requireCoreSchema(body: JsonObject, schema: string): void {
  for (const [key, value] of Object.entries(body)) {
    if (fold(key) !== 'schemas' || value === null) continue
    if (!Array.isArray(value) || !value.every((one) => typeof one === 'string')) {
      throw invalidValue('schemas', 'must be a list of URNs')
    }
    if (!value.some((one) => fold(one) === fold(schema))) {
      throw invalidValue('schemas', `must list ${schema}`)
    }
  }
}
