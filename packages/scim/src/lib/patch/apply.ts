import { failure, isFailure, type Result } from '@plumbline/result'
import { badRequest, resultOf, ScimError } from '../error.ts'
import { parsePatchPath } from '../filter/parse.ts'
import type { Path } from '../filter/tree.ts'
import { isJsonObject, type JsonObject } from '../json.ts'
import { stringifyPath } from '../path/stringify-path.ts'
import { attributeIndex, resolvePath, type SchemaNode } from '../schema/attribute-index.ts'
import { definitionsFor } from '../schema/definitions-for.ts'
import { MAX_VALUES } from '../schema/value-list.ts'
import { fold } from '../values/fold.ts'
import type { Context, Write } from './context.ts'
import { Draft } from './draft.ts'
import { applyToMultiValued } from './multi-valued.ts'
import { isReadOnly, requireRemovable, requireUnchanged } from './mutability.ts'
import { applyToSingle } from './single.ts'
import type { ApplyOptions, Operation } from './types.ts'

/**
 * Applies PATCH operations to a wire resource, all of them or none.
 *
 * The resource is never changed: the result shares unchanged parts with it, and is the same object if
 * nothing changes. Attributes of the resource are read in any letter case. Fails with `400`, and the message
 * names the operation: `invalidPath` for an unknown attribute, `invalidValue` for a value of the wrong type,
 * `invalidFilter` for a filter of more than 1,000 comparisons, `noTarget` for a filter or a named value that
 * matches nothing, `mutability` for a write that the definition forbids (a read-only attribute, an immutable
 * one with a value, the removal of a required one), `tooMany` for more work than the `budget` allows or more
 * values than `maxValues`. Finding values by name, or by `eq` with a string, costs one pass over a
 * multi-valued attribute for all operations together. Any other filter costs one pass for each operation.
 *
 * @example
 * ```ts
 * import { PATCH_OP_SCHEMA } from '@plumbline/scim'
 * import { USER_DEFINITION } from '@plumbline/scim/discovery'
 * import { applyPatch, parsePatch } from '@plumbline/scim/patch'
 * import { unwrap } from '@plumbline/result'
 *
 * const definitions = { [USER_DEFINITION.id]: USER_DEFINITION }
 * const operations = unwrap(
 *   parsePatch({
 *     schemas: [PATCH_OP_SCHEMA],
 *     Operations: [{ op: 'replace', value: { 'name.givenName': 'Barbara', active: false } }],
 *   }),
 * )
 * const user = { userName: 'b', active: true, name: { familyName: 'Jensen' } }
 * const patched = unwrap(applyPatch(user, operations, { definitions }))
 * patched.name //=> { familyName: 'Jensen', givenName: 'Barbara' }
 * patched.active //=> false
 * user.active //=> true
 * ```
 * @see RFC 7644 §3.5.2
 */
export function applyPatch(
  resource: object,
  operations: readonly Operation[],
  { definitions, tolerate = [], budget, maxValues = MAX_VALUES, positions }: ApplyOptions,
): Result<Record<string, unknown>, ScimError> {
  const index = attributeIndex(definitionsFor(definitions, resource))
  const draft = new Draft(resource as JsonObject, index, operations, { budget, maxValues })
  const rules = { ignoreUnknown: tolerate.includes('unknown-attributes'), maxValues }
  const context: Context = { draft, tolerate, rules }
  let at = 0
  try {
    for (; at < operations.length; at += 1) applyOperation(context, operations[at] as Operation)
  } catch (error) {
    if (!(error instanceof ScimError)) throw error
    return failure(inOperation(positions?.[at] ?? at, error))
  }
  return resultOf(() => draft.finish())
}

/** The error of an operation, with its position. */
function inOperation(position: number, error: ScimError): ScimError {
  if (error.scimType === null) return error
  return badRequest(error.scimType, `Operations[${position}]: ${error.message}`)
}

function applyOperation(context: Context, { op, path, value }: Operation): void {
  if (path !== null) applyAt(context, op, path, value)
  else
    for (const [key, member] of Object.entries(Object(value))) applyMember(context, op, key, member)
}

/** Deviation: without a path, keys may also be paths: Entra ID sends `name.givenName`. */
function applyMember(context: Context, op: Operation['op'], key: string, value: unknown): void {
  const path = parsePatchPath(key)
  // A key that does not parse as a path is the name of an attribute that no definition can contain.
  if (isFailure(path) && context.rules.ignoreUnknown && !key.includes('[')) return
  if (isFailure(path)) throw badRequest('invalidPath', path.error.message)
  applyAt(context, op, path.data, value)
}

function applyAt(context: Context, op: Operation['op'], path: Path, value: unknown): void {
  const { attribute, filter } = path
  const place = stringifyPath(attribute)
  const target = resolvePath(context.draft.index, attribute)
  if (target === null) {
    if (context.rules.ignoreUnknown) return
    throw badRequest('invalidPath', `unknown attribute ${place}`)
  }
  if (target.kind === 'schema') {
    if (filter !== null) throw badRequest('invalidPath', `${place} does not accept a filter`)
    applyToSchema(context, op, target, value)
    return
  }
  const node = target.parent ?? target
  const part = target.parent === null ? null : target
  const write: Write = { op, node, part, filter, value, place }
  if (node === context.draft.index.core.attributes.get('schemas'))
    requireKnownSchemas(context, write)
  else if (isReadOnly(node) || (part !== null && isReadOnly(part))) requireUnchanged(context, write)
  else if (node.multiValued) applyToMultiValued(context, write)
  else if (filter !== null)
    throw badRequest('invalidPath', `${place} is single-valued and does not accept a filter`)
  else applyToSingle(context, write)
}

/** A whole extension: its members are written one by one, or all of it is removed. */
function applyToSchema(
  context: Context,
  op: Operation['op'],
  schema: SchemaNode,
  value: unknown,
): void {
  // RFC 7643 §2.5: null makes an attribute unassigned.
  if (op === 'remove' || value === null) {
    for (const node of schema.attributes.values()) {
      if (context.draft.get(node) !== undefined) requireRemovable(node, node.name)
    }
    context.draft.removeExtension(schema)
    return
  }
  if (!isJsonObject(value)) throw badRequest('invalidValue', `${schema.id} must be an object`)
  for (const [key, member] of Object.entries(value)) {
    // A schema contains only its own members: the name of another schema or of its attribute is unknown.
    const isQualified = fold(key).startsWith(`${fold(schema.id)}:`)
    applyMember(context, op, isQualified ? key : `${schema.id}:${key}`, member)
  }
}

/** RFC 7644 §3.5.2: `schemas` is derived from the resource. If a client sends it, the URNs must be known. */
function requireKnownSchemas({ draft, rules }: Context, { op, value, place }: Write): void {
  if (op === 'remove') throw badRequest('mutability', `${place} is required and cannot be removed`)
  const sent = Array.isArray(value) ? value : [value]
  for (const urn of sent) {
    if (typeof urn !== 'string') throw badRequest('invalidValue', 'schemas must be a list of URNs')
    if (!draft.index.schemas.has(fold(urn)) && !rules.ignoreUnknown) {
      throw badRequest(
        'invalidValue',
        `schemas: ${JSON.stringify(urn)} is not a schema of this resource`,
      )
    }
  }
}
