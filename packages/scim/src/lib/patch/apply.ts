import { isFailure, type Result } from '@plumbline/result'
import {
  type AttributeNode,
  attributeIndex,
  fold,
  resolvePath,
  type SchemaNode,
} from '../attributes.ts'
import { refused, resultOf, type ScimError } from '../error.ts'
import { isAssigned } from '../filter/evaluate.ts'
import { parsePatchPath } from '../filter/parse.ts'
import { stringifyPath } from '../filter/stringify.ts'
import type { AttributePath } from '../filter/tree.ts'
import { isObject, type Members } from '../resource/read.ts'
import { createWorkBudget, type WorkBudget } from '../work-budget.ts'
import { Draft } from './draft.ts'
import { writeMultiValued } from './multi-valued.ts'
import type { ApplyOptions, Operation, Path, Tolerance } from './types.ts'
import { isSame, requireParts, takeValue, type ValueRules } from './value.ts'

/**
 * Applies PATCH operations to a wire resource, all of them or none.
 *
 * The resource is never changed: what the operations do not touch is shared with it, and operations that
 * change nothing give the very resource back. Fails with `400`: `invalidPath` for an attribute that no
 * definition has, `invalidValue` for a value of the wrong type, `noTarget` for a filter that matches
 * nothing, `mutability` for a write to what is read-only, immutable and assigned, or required and to be
 * removed, `tooMany` for more than 20,000,000 values searched. Values that are named, or found by an
 * `eq` of a text, cost one pass over a multi-valued attribute, however many operations there are; any
 * other filter searches the values once for each.
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
  { definitions, tolerate = [], budget = createWorkBudget() }: ApplyOptions,
): Result<Record<string, unknown>, ScimError> {
  const draft = new Draft(resource as Members, attributeIndex(definitions), operations, budget)
  const rules = { ignoreUnknown: tolerate.includes('unknown-attributes') }
  return resultOf(() => {
    for (const operation of operations)
      applyOperation({ draft, tolerate, rules, budget }, operation)
    return draft.finish()
  })
}

/** What every operation of a request works on. */
export interface Context {
  readonly draft: Draft
  readonly tolerate: readonly Tolerance[]
  readonly rules: ValueRules
  readonly budget: WorkBudget
}

/** One operation whose target is found. */
export interface Write {
  readonly op: Operation['op']
  readonly node: AttributeNode
  /** The sub-attribute that is named. */
  readonly part: AttributeNode | null
  readonly filter: Path['filter']
  readonly value: unknown
  /** What messages call the target. */
  readonly place: string
}

function applyOperation(context: Context, { op, path, value }: Operation): void {
  if (path !== null) applyAt(context, op, path, value)
  else
    for (const [key, member] of Object.entries(Object(value))) applyMember(context, op, key, member)
}

/** Deviation: without a path, keys may be paths as well: Entra ID sends `name.givenName`. */
function applyMember(context: Context, op: Operation['op'], key: string, value: unknown): void {
  const path = parsePatchPath(key)
  // A key without a filter that is not a path is the name of an attribute that no definition can have.
  if (isFailure(path) && context.rules.ignoreUnknown && !key.includes('[')) return
  if (isFailure(path)) throw refused('invalidPath', path.error.message)
  applyAt(context, op, path.data, value)
}

function applyAt(context: Context, op: Operation['op'], path: Path, value: unknown): void {
  const { attribute, filter } = path
  const place = stringifyPath(attribute)
  const target = resolvePath(context.draft.index, attribute)
  if (target === null) {
    if (context.rules.ignoreUnknown) return
    throw refused('invalidPath', `there is no attribute ${place}`)
  }
  if (target.kind === 'schema') {
    if (filter !== null) throw refused('invalidPath', `${place} takes no filter`)
    applyToSchema(context, op, target, value)
    return
  }
  const node = target.parent ?? target
  const part = target.parent === null ? null : target
  const write: Write = { op, node, part, filter, value, place }
  if (node === context.draft.index.core.attributes.get('schemas')) writeSchemas(context, write)
  else if (isReadOnly(node) || (part !== null && isReadOnly(part))) requireUnchanged(context, write)
  else if (node.multiValued) writeMultiValued(context, write)
  else if (filter !== null)
    throw refused('invalidPath', `${place} has one value and takes no filter`)
  else if (node.type === 'complex') writeComplex(context, write)
  else writeSimple(context, write)
}

/** A whole extension: its members are written one by one, or all of it is removed. */
function applyToSchema(
  context: Context,
  op: Operation['op'],
  schema: SchemaNode,
  value: unknown,
): void {
  // RFC 7643 §2.5: null unassigns.
  if (op === 'remove' || value === null) {
    for (const node of schema.attributes.values()) {
      if (context.draft.get(node) !== undefined) requireRemovable(node, node.name)
    }
    context.draft.removeExtension(schema)
    return
  }
  if (!isObject(value)) throw refused('invalidValue', `${schema.id} must be an object`)
  for (const [key, member] of Object.entries(value)) {
    // The members of a schema are its own: a name of another schema, or a schema again, is unknown.
    const isQualified = fold(key).startsWith(`${fold(schema.id)}:`)
    applyMember(context, op, isQualified ? key : `${schema.id}:${key}`, member)
  }
}

function writeSimple({ draft, rules }: Context, { op, node, value, place }: Write): void {
  const taken = op === 'remove' ? undefined : takeValue(value, node, place, rules)
  requireWritable(node, draft.get(node), taken, place)
  draft.set(node, taken)
}

/** RFC 7644 §3.5.2.3: the sub-attributes that are not named stay as they are. */
function writeComplex({ draft, rules }: Context, write: Write): void {
  const { op, node, part, value, place } = write
  const current = draft.get(node)
  if (part === null && op === 'remove') {
    requireWritable(node, current, undefined, place)
    draft.set(node, undefined)
    return
  }
  const sent = part === null ? value : { [part.name]: op === 'remove' ? null : value }
  const taken = takeValue(sent, node, stringifyPath(pathOf(node)), rules)
  const merged = isObject(taken) ? merge(isObject(current) ? current : {}, taken, node) : undefined
  requireWritable(node, current, merged, place)
  if (current === undefined) requireParts(merged, node)
  draft.set(node, merged)
}

/**
 * Members over members, as the definition of the complex attribute allows; null removes. Gives undefined
 * where nothing is left.
 */
export function merge(current: Members, sent: Members, node: AttributeNode): Members | undefined {
  const merged = { ...current }
  for (const [name, value] of Object.entries(sent)) {
    const part = node.subAttributes.get(fold(name))
    const before = Object.hasOwn(current, name) ? (current[name] ?? undefined) : undefined
    const after = value ?? undefined
    if (part !== undefined) requireWritable(part, before, after, `${node.name}.${name}`)
    if (after === undefined) delete merged[name]
    else merged[name] = after
  }
  return Object.keys(merged).length === 0 ? undefined : merged
}

/** Throws unless the definition lets a value become another (RFC 7643 §7, RFC 7644 §3.5.2). */
export function requireWritable(
  node: AttributeNode,
  before: unknown,
  after: unknown,
  place: string,
): void {
  if (isSame(before, after)) return
  if (node.mutability === 'readOnly') throw refused('mutability', `${place} is read-only`)
  if (node.mutability === 'immutable' && before !== undefined) {
    throw refused('mutability', `${place} has a value and cannot be changed`)
  }
  if (after === undefined) requireRemovable(node, place)
  if (node.required && after === '') throw refused('invalidValue', `${place} is required`)
}

/** RFC 7644 §3.5.2.2: what is required or read-only cannot be removed. */
export function requireRemovable(node: AttributeNode, place: string): void {
  if (node.required) throw refused('mutability', `${place} is required and cannot be removed`)
  if (isReadOnly(node)) throw refused('mutability', `${place} is read-only`)
  if (node.mutability === 'immutable') {
    throw refused('mutability', `${place} has a value and cannot be changed`)
  }
}

/** Deviation: Okta sends read-only members back as they are; a write of the same value is no write. */
function requireUnchanged(
  { draft, rules }: Context,
  { op, node, part, filter, value, place }: Write,
): void {
  const whole = draft.get(node)
  const current = part === null ? whole : isObject(whole) ? whole[part.name] : undefined
  if (op !== 'remove' && filter === null && isUnchanged(value, current, node, rules)) return
  throw refused('mutability', `${place} is read-only`)
}

/** Of a complex value only the parts that are sent count (RFC 7644 §3.5.2.3). */
function isUnchanged(
  sent: unknown,
  current: unknown,
  node: AttributeNode,
  { ignoreUnknown }: ValueRules,
): boolean {
  if (!isAssigned(sent)) return !isAssigned(current)
  if (!isObject(sent) || !isObject(current)) return isSame(sent, current)
  return Object.entries(sent).every(([key, part]) => {
    const { name } = node.subAttributes.get(fold(key)) ?? {}
    if (name === undefined) return ignoreUnknown
    const own = Object.hasOwn(current, name) ? current[name] : undefined
    return isSame(part ?? undefined, own ?? undefined)
  })
}

/** RFC 7644 §3.5.2: `schemas` follows from what the resource holds; sent along, it has to be known. */
function writeSchemas({ draft, rules }: Context, { op, value, place }: Write): void {
  if (op === 'remove') throw refused('mutability', `${place} is required and cannot be removed`)
  const sent = Array.isArray(value) ? value : [value]
  for (const urn of sent) {
    if (typeof urn !== 'string') throw refused('invalidValue', 'schemas must be a list of URNs')
    if (!draft.index.schemas.has(fold(urn)) && !rules.ignoreUnknown) {
      throw refused('invalidValue', `schemas: ${JSON.stringify(urn)} is no schema of this resource`)
    }
  }
}

function isReadOnly({ mutability }: AttributeNode): boolean {
  return mutability === 'readOnly'
}

function pathOf({ name }: AttributeNode): AttributePath {
  return { schema: null, attribute: name, subAttribute: null }
}
