import type { Result } from '@plumbline/result'
import { invalidValue, resultOf, type ScimError } from '../error.ts'
import { isAssigned, isJsonObject, type JsonObject, own } from '../json.ts'
import { requireObject } from '../message/members.ts'
import { isWithin, MAX_DEPTH } from '../message/read-json.ts'
import type { Rejection } from '../rejection.ts'
import {
  type AttributeIndex,
  type AttributeNode,
  attributeIndex,
} from '../schema/attribute-index.ts'
import type { Definitions } from '../schema/types.ts'
import { MAX_VALUES } from '../schema/value-list.ts'
import { fold } from '../values/fold.ts'
import { createMemberCount, UNLIMITED_MEMBERS } from '../values/member-count.ts'
import { areSameValues } from '../values/same.ts'
import type { WorkBudget } from '../work-budget.ts'
import { definedExtensions, type ReadableExtension, readExtensions } from './extensions.ts'
import { findMembers, type ReadRules, readFoundMembers, type SentMember } from './read-members.ts'
import { resourceAttributes } from './resource-attributes.ts'

/** The `parseResource` options (RFC 7643 §3). */
export interface ParseResourceOptions {
  /**
   * Whether well-formed read-only members, such as `id` and `meta`, are kept. Set it to check your own resource, such
   * as the `applyPatch` result. False by default, because a service provider ignores a request's read-only members
   * (RFC 7644 §3.3).
   */
  readonly keepReadOnly?: boolean | undefined
  /**
   * Whether the resource is stored already. Its values must have the right JSON type, but those stored before a check
   * existed are accepted, such as certificates that are not base64. By default, the value of `keepReadOnly`.
   */
  readonly isStored?: boolean | undefined
  /** How many values a multi-valued attribute other than `members` may have; 5,000 by default. */
  readonly maxValues?: number | undefined
  /**
   * The request's budget. Each body member costs ten steps, and at most 1,000 members may be without a definition.
   * Without a budget, members are not limited: for your own resources.
   */
  readonly budget?: WorkBudget | undefined
  /** `unknown-attributes`: a member or a schema without a definition is an error; nothing is rejected by default. */
  readonly reject?: readonly Rejection[] | undefined
}

/**
 * Reads any resource type's body with the type's definitions, the core schema first, as a wire resource.
 *
 * The result's names are spelled as in the definitions, extensions are under their URN, and `schemas` lists the core
 * schema and each extension that is present. Names match in any letter case; null, empty lists and members without a
 * definition are omitted. A value with the same `type` and `value` as an earlier one is dropped. Fails with
 * `400 invalidValue`, whose message names the member with its path, for a missing required member, a value with the
 * wrong type or a second primary value; with `tooMany` if an attribute has more than `maxValues` values, or the body
 * has more members than the `budget` allows; with `invalidSyntax` if the body is not an object, or if `reject` has
 * `unknown-attributes` and a member or a schema lacks a definition. Throws a `TypeError` for definitions without a
 * schema.
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
  {
    keepReadOnly = false,
    isStored = keepReadOnly,
    maxValues = MAX_VALUES,
    budget,
    reject = [],
  }: ParseResourceOptions = {},
): Result<Record<string, unknown>, ScimError> {
  const isRejected = reject.includes('unknown-attributes')
  const count =
    budget === undefined && !isRejected ? UNLIMITED_MEMBERS : createMemberCount(budget, isRejected)
  const rules: ReadRules = { form: 'wire', keepReadOnly, isStored, maxValues, count }
  const { core } = attributeIndex(definitions)
  return resultOf(() => {
    const carriers = definedExtensions(definitions, rules)
    const { members, extensions } = readResource(definitions, body, carriers, rules)
    return { schemas: [core.id, ...Object.keys(extensions)], ...members, ...extensions }
  })
}

/** A body's parts: the core schema's members, and the extensions under their keys. */
export interface ReadResource {
  readonly members: JsonObject
  readonly extensions: JsonObject
}

/** Reads a body with the core schema in `definitions` and with `extensions`. Throws a ScimError. */
export function readResource(
  definitions: Definitions,
  body: unknown,
  extensions: readonly ReadableExtension[],
  rules: ReadRules,
): ReadResource {
  const resource = requireObject(body, 'the body')
  const index = attributeIndex(definitions)
  const attributes = resourceAttributes(index)
  const sent = splitMembers(resource, index, extensions, rules)
  for (const value of sent.schemas) requireSchemas(value, index.core.id, sent.extensions, rules)
  const core = joinCore(sent, index.core.id, attributes, rules)
  return {
    members: readFoundMembers(core, attributes, '', rules),
    extensions: readExtensions(sent.extensions, extensions),
  }
}

/** A body's members, grouped by the part of the resource they belong to. */
interface SplitMembers {
  readonly schemas: readonly unknown[]
  readonly core: readonly SentMember[]
  /** The values of members that the core schema's URN names. */
  readonly belowUrn: readonly unknown[]
  /** By folded URN; several values if a URN is duplicated in different letter case. */
  readonly extensions: ReadonlyMap<string, readonly unknown[]>
}

function splitMembers(
  body: JsonObject,
  index: AttributeIndex,
  readable: readonly ReadableExtension[],
  { count }: ReadRules,
): SplitMembers {
  const attributes = resourceAttributes(index)
  const urn = fold(index.core.id)
  const schemas: unknown[] = []
  const belowUrn: unknown[] = []
  const core: SentMember[] = []
  const extensions = new Map<string, unknown[]>(readable.map(({ urn }) => [fold(urn), []]))
  const names = Object.keys(body)
  count.add(names.length)
  for (const name of names) {
    const folded = fold(name)
    const value = own(body, name)
    const node = attributes.get(folded)
    if (node !== undefined) core.push([node, value])
    else if (folded === 'schemas') schemas.push(value)
    else if (folded === urn) belowUrn.push(value)
    else {
      const values = extensions.get(folded)
      if (values === undefined) count.addUnknown(name)
      else values.push(value)
    }
  }
  return { schemas, core, belowUrn, extensions }
}

/**
 * Adds the core attributes sent below the core schema's URN, as PATCH reads them. Throws `400 invalidValue` for an
 * attribute that is also sent at the top level with another value.
 *
 * Deviation: RFC 7643 §3 has only extensions below a URN. Attribute mappings of Entra ID write core attributes there.
 */
function joinCore(
  { core, belowUrn }: SplitMembers,
  urn: string,
  attributes: ReadonlyMap<string, AttributeNode>,
  rules: ReadRules,
): readonly SentMember[] {
  const [value, ...others] = belowUrn
  if (others.length > 0) throw invalidValue(urn, 'is duplicated in different letter case')
  if (value === undefined || value === null) return core
  if (!isJsonObject(value)) throw invalidValue(urn, 'must be an object')
  const known = new Map(core)
  const added = findMembers(value, attributes, `${urn}:`, rules).filter(([node, one]) => {
    if (node.mutability === 'readOnly') return false
    if (!known.has(node)) return true
    requireEqual(urn, node, known.get(node), one)
    return false
  })
  return [...core, ...added]
}

/** Throws `400 invalidValue` if the values of an attribute at the top level and below the core URN differ. */
export function requireEqual(
  urn: string,
  { name }: AttributeNode,
  value: unknown,
  below: unknown,
): void {
  // A body may nest deeper than the stack.
  if (isWithin(below, MAX_DEPTH) && areSameValues(null, assigned(value), assigned(below))) return
  throw invalidValue(`${urn}:${name}`, `differs from ${name}`)
}

/** RFC 7643 §2.5: null and an empty list are unassigned. */
function assigned(value: unknown): unknown {
  return isAssigned(value) ? value : undefined
}

/**
 * If there is a `schemas` member, it must list the core schema.
 *
 * Deviation: RFC 7643 §3 requires the list, but many clients omit it.
 */
function requireSchemas(
  value: unknown,
  schema: string,
  extensions: SplitMembers['extensions'],
  { count }: ReadRules,
): void {
  if (value === null) return
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string')) {
    throw invalidValue('schemas', 'must be a list of URNs')
  }
  if (!value.some((one) => fold(one) === fold(schema))) {
    throw invalidValue('schemas', `must list ${schema}`)
  }
  if (!count.rejectsUnknown) return
  for (const one of value) {
    if (fold(one) !== fold(schema) && !extensions.has(fold(one))) count.addUnknown(one)
  }
}
