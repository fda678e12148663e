import type { Result } from '@plumbline/result'
import { GROUP_SCHEMA } from '../constants.ts'
import { resultOf, type ScimError } from '../error.ts'
import type { Group } from '../model.ts'
import { GROUP_DEFINITION } from '../schema/core-schemas.ts'
import { MAX_VALUES } from '../schema/value-list.ts'
import { createMemberCount } from '../values/member-count.ts'
import { readResource } from './parse-resource.ts'
import { BODY_RULES, type ReadRules } from './read-members.ts'
import { writeResource } from './write-resource.ts'

/**
 * Reads a group body. A member's `$ref` is read as `ref`.
 *
 * A member with the same `type` and `value` as an earlier one is dropped. A malformed `id` or `meta` is ignored,
 * because they are read-only. Fails with `400 invalidValue` and the member's path in the message, with `tooMany` for
 * more than 1,000 JSON members without a definition, or with `invalidSyntax` if the body is not an object.
 *
 * @example
 * ```ts
 * import { parseGroup } from '@plumbline/scim'
 * import { unwrap } from '@plumbline/result'
 *
 * const group = unwrap(parseGroup({ displayName: 'Guides', members: [{ value: '1', $ref: null }] }))
 * group //=> { displayName: 'Guides', members: [{ value: '1' }] }
 * ```
 * @see RFC 7643 §4.2, RFC 7643 §2.4, RFC 7644 §3.3
 */
export function parseGroup(body: unknown): Result<Group, ScimError> {
  // The definition has the same names and types as Group.
  return resultOf(() => {
    const count = createMemberCount()
    const rules: ReadRules = { ...BODY_RULES, maxValues: MAX_VALUES, count }
    return readResource(definitions, body, [], rules).members as unknown as Group
  })
}

/**
 * Writes a group as a response's wire object. A member's `ref` is written as `$ref`.
 *
 * @example
 * ```ts
 * import { groupResource } from '@plumbline/scim'
 *
 * groupResource({ displayName: 'Guides', members: [] }).displayName //=> 'Guides'
 * ```
 * @see RFC 7643 §4.2
 */
export function groupResource(group: Group): Record<string, unknown> {
  return writeResource(group, definitions)
}

const definitions = { [GROUP_SCHEMA]: GROUP_DEFINITION }
