import { failure, type Result } from '@plumbline/result'
import { badRequest, invalidValue, resultOf, ScimError } from '../error.ts'
import { namesOnlyParts } from '../filter/names-only-parts.ts'
import { stringifyPatchPath } from '../filter/stringify.ts'
import type { Path } from '../filter/tree.ts'
import { isAssigned, isJsonObject, type JsonObject, own } from '../json.ts'
import { requireEqual } from '../resource/parse-resource.ts'
import { type AttributeNode, attributeIndex, type SchemaNode } from '../schema/attribute-index.ts'
import { definitionsFor } from '../schema/definitions-for.ts'
import { MAX_VALUES } from '../schema/value-list.ts'
import { fold } from '../values/fold.ts'
import { areSameValues } from '../values/same.ts'
import { createWrite, readTextValue, type Write } from './coerce.ts'
import { type Context, Draft } from './draft.ts'
import { editMultiValued } from './multi-valued.ts'
import { resolveMember, resolveTarget, type Target } from './resolve.ts'
import { createRules } from './rules.ts'
import { editSingle, requireRemovable } from './single.ts'
import type { ApplyOptions, Operation } from './types.ts'

/**
 * Applies PATCH operations to a wire resource, all or none.
 *
 * The resource is never changed: the result shares unchanged parts with it, and is the same object if nothing changes.
 * Resource attributes are read in any letter case. Fails with `400`, and the message names the operation: `invalidPath`
 * for an unknown attribute (`invalidSyntax` if it is rejected), `invalidValue` for a value with the wrong type,
 * `invalidFilter` for a filter with more than 1,000 comparisons, `noTarget` for a filter or a named value without a
 * match, `mutability` for a write the definition forbids (a read-only attribute, an immutable one with a value, the
 * removal of a required one), `tooMany` for more work than the `budget` allows or more values than `maxValues`. Finding
 * values by name, or by `eq` with a string, costs one pass over a multi-valued attribute for all operations together.
 * Any other filter costs one pass for each operation.
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
  {
    definitions,
    tolerate = [],
    reject,
    onIgnored,
    budget,
    maxValues = MAX_VALUES,
    positions,
  }: ApplyOptions,
): Result<Record<string, unknown>, ScimError> {
  const index = attributeIndex(definitionsFor(definitions, resource))
  const draft = new Draft(resource as JsonObject, index, operations, { budget, maxValues })
  const rules = createRules({ tolerate, reject, onIgnored }, { budget: draft.budget, maxValues })
  const context: Context = { draft, rules }
  let at = 0
  try {
    for (; at < operations.length; at += 1) applyOperation(context, operations[at] as Operation)
  } catch (error) {
    if (!(error instanceof ScimError)) throw error
    return failure(inOperation(positions?.[at] ?? at, error))
  }
  return resultOf(() => draft.finish())
}

/** Adds an operation's position to its error. */
function inOperation(position: number, error: ScimError): ScimError {
  if (error.scimType === null) return error
  return badRequest(error.scimType, `Operations[${position}]: ${error.message}`)
}

function applyOperation(context: Context, { op, path, value }: Operation): void {
  if (path !== null) applyAt(context, op, path, value)
  else applyMembers(context, op, Object(value), null)
}

/** Resolves the path, coerces the value, and edits the draft. */
function applyAt(context: Context, op: Operation['op'], path: Path, sent: unknown): void {
  const { draft, rules } = context
  const target = resolveTarget(draft.index, path, rules)
  if (target === null || isIgnored(context, op, path, target)) return
  const value = readTextValue(sent, target.kind === 'schema' ? null : (target.part ?? target.node))
  if (target.kind === 'schema') applyToSchema(context, op, target, value)
  else edit(context, createWrite(op, target, value, rules))
}

/**
 * Whether a write is ignored because the value filter names an unknown sub-attribute, so it describes a value the
 * resource cannot have. A removal is not ignored: the client would believe that the value is gone.
 */
function isIgnored(
  { rules: { ignore, tolerate } }: Context,
  op: Operation['op'],
  path: Path,
  target: Target | SchemaNode,
): boolean {
  if (ignore === null || !tolerate.includes('unknown-value-filters')) return false
  if (op === 'remove' || target.kind === 'schema' || target.filter === null) return false
  if (namesOnlyParts(target.filter, target.node)) return false
  ignore(stringifyPatchPath(path))
  return true
}

/** Changes a whole extension: writes its members one by one, or removes them all. */
function applyToSchema(
  context: Context,
  op: Operation['op'],
  schema: SchemaNode,
  value: unknown,
): void {
  // RFC 7643 §2.5: null makes an attribute unassigned.
  if (op === 'remove' || value === null) removeSchema(context, schema)
  else if (isJsonObject(value)) applyMembers(context, op, value, schema)
  else throw badRequest('invalidValue', `${schema.id} must be an object`)
}

/** Removes an extension. Its required attributes are only required while it is present (RFC 7643 §6). */
function removeSchema({ draft }: Context, schema: SchemaNode): void {
  const { id, container, attributes } = schema
  for (const node of attributes.values()) {
    if (draft.get(node) === undefined) continue
    const { mutability } = node
    const required = node.required && container === null
    requireRemovable({ required, mutability }, `${id}:${node.name}`)
  }
  draft.removeExtension(schema)
}

function applyMembers(
  context: Context,
  op: Operation['op'],
  members: JsonObject,
  within: SchemaNode | null,
): void {
  if (within === null) requireEqualPlaces(members, context.draft.index.core)
  for (const [name, value] of Object.entries(members)) {
    const path = resolveMember(name, within, context.rules)
    if (path !== null) applyAt(context, op, path, value)
  }
}

/**
 * Throws `400 invalidValue` for an attribute with one value at the top level, and another one below the core URN. Each
 * member is read once: a body may spell one name in thousands of ways.
 */
function requireEqualPlaces(members: JsonObject, { id, attributes }: SchemaNode): void {
  const urn = fold(id)
  const [found, ...others] = Object.entries(members).filter(([name]) => fold(name) === urn)
  if (others.length > 0) throw invalidValue(id, 'is duplicated in different letter case')
  if (found === undefined || !isJsonObject(found[1])) return
  const below = new Map<AttributeNode, unknown>()
  for (const [name, value] of Object.entries(found[1])) {
    const node = attributes.get(fold(name))
    if (node === undefined) continue
    if (below.has(node)) {
      throw invalidValue(`${id}:${node.name}`, 'is duplicated in different letter case')
    }
    below.set(node, value)
  }
  for (const [name, value] of Object.entries(members)) {
    const node = attributes.get(fold(name))
    if (node !== undefined && below.has(node)) requireEqual(id, node, value, below.get(node))
  }
}

function edit(context: Context, write: Write): void {
  const { kind } = write.target
  if (kind === 'schemas') requireKnownSchemas(context, write)
  else if (kind === 'readOnly') requireUnchanged(context, write)
  else if (kind === 'multiValued') editMultiValued(context, write)
  else editSingle(context, write)
}

/** RFC 7644 §3.5.2: `schemas` is derived from the resource. If a client sends it, the URNs must be known. */
function requireKnownSchemas({ draft, rules }: Context, { op, target, value }: Write): void {
  if (op === 'remove')
    throw badRequest('mutability', `${target.place} is required and cannot be removed`)
  if (target.filter !== null) {
    throw badRequest(
      'mutability',
      'schemas is derived from the resource, so a filter cannot change it',
    )
  }
  const sent = Array.isArray(value) ? value : [value]
  for (const urn of sent) {
    if (typeof urn !== 'string') throw badRequest('invalidValue', 'schemas must be a list of URNs')
    if (!draft.index.schemas.has(fold(urn)) && rules.ignore === null) {
      throw badRequest(
        'invalidValue',
        `schemas: ${JSON.stringify(urn)} is not a schema of this resource`,
      )
    }
  }
}

/** Deviation: Okta sends read-only members back unchanged. A write of the same value is ignored. */
function requireUnchanged(context: Context, write: Write): void {
  const { op, target } = write
  const { node, part, filter, place } = target
  const whole = context.draft.get(node)
  const current = part === null ? whole : isJsonObject(whole) ? whole[part.name] : undefined
  if (op !== 'remove' && filter === null && isUnchanged(context, write, current)) return
  throw badRequest('mutability', `${place} is read-only`)
}

/** Compares only the sent parts of a complex value (RFC 7644 §3.5.2.3). */
function isUnchanged({ rules }: Context, { target, value }: Write, current: unknown): boolean {
  if (!isAssigned(value)) return !isAssigned(current)
  if (!isJsonObject(value) || !isJsonObject(current)) return areSameValues(null, value, current)
  return Object.entries(value).every(([key, part]) => {
    const { name } = target.node.subAttributes.get(fold(key)) ?? {}
    if (name === undefined) return rules.ignore !== null
    return areSameValues(null, part ?? undefined, own(current, name) ?? undefined)
  })
}
