import { memoize } from '@plumbline/base'
import { findAttributes } from '../filter/find-attributes.ts'
import { isJsonObject, type JsonObject, unlessEmpty } from '../json.ts'
import type { ListQuery } from '../model.ts'
import {
  type AttributeIndex,
  type AttributeNode,
  attributeIndex,
  type SchemaNode,
} from '../schema/attribute-index.ts'
import { definitionsFor } from '../schema/definitions-for.ts'
import type { Definitions } from '../schema/types.ts'
import { fold } from '../values/fold.ts'

/**
 * Projects a wire resource for a response: keeps the members that the client wants and may see. Members returned
 * `always` are kept. Members returned `never` and write-only ones are not. The query decides on the rest: only those in
 * `attributes`, or all but `excludedAttributes`, down to sub-attributes and whole extensions.
 *
 * A member named `password`, in the resource or in an extension, is always dropped, whatever the definitions are. Any
 * other member without a definition is kept unless the query has `attributes`, so remove secret members before the
 * call. Names match in any letter case and keep their spelling. If the definitions contain several core schemas, the
 * one in `schemas` applies. Unknown paths are ignored. The resource is not changed.
 *
 * @example
 * ```ts
 * import { project } from '@plumbline/scim'
 * import { USER_DEFINITION } from '@plumbline/scim/discovery'
 *
 * const definitions = { [USER_DEFINITION.id]: USER_DEFINITION }
 * const user = { id: '1', userName: 'b', title: 'Guide', password: 'x' }
 * project(user, { attributes: ['title'] }, definitions) //=> { id: '1', title: 'Guide' }
 * project(user, {}, definitions) //=> { id: '1', userName: 'b', title: 'Guide' }
 * ```
 * @see RFC 7644 §3.9, RFC 7643 §7
 */
export function project(
  resource: object,
  query: Pick<ListQuery, 'attributes' | 'excludedAttributes'>,
  definitions: Definitions,
): Record<string, unknown> {
  const { attributes = [], excludedAttributes = [] } = query
  // Most queries name nothing, and share one projection.
  const key = attributes.length + excludedAttributes.length === 0 ? NOTHING_NAMED : query
  return projections(definitionsFor(definitions, resource))(key)(resource)
}

/**
 * Returns the parts of a resource that some query can return: all but the `never` returned, the write-only ones and
 * passwords. An entity tag is computed from these, because a digest of a short secret can be guessed.
 */
export function returnable(resource: object, definitions: Definitions): JsonObject {
  return returnableParts(definitionsFor(definitions, resource))(resource)
}

const returnableParts = memoize((definitions: Definitions) =>
  compile(attributeIndex(definitions), {
    named: null,
    parents: new Set(),
    excluded: new Set(),
    withRequested: true,
  }),
)

/** The query part that selects members. */
type Selection = Pick<ListQuery, 'attributes' | 'excludedAttributes'>
/** A member's rule: keep it whole, or keep the function's result. */
type Rule = true | ((value: unknown) => unknown)
type Projection = (resource: object) => JsonObject

/** Compiled once for a query and the definitions, because a list projects every resource with the same query. */
const projections = memoize((definitions: Definitions) =>
  memoize((query: Selection) => compileProjection(query, attributeIndex(definitions))),
)

const NOTHING_NAMED: Selection = {}

function compileProjection(
  { attributes, excludedAttributes }: Selection,
  index: AttributeIndex,
): Projection {
  const named = attributes?.length ? findAttributes(attributes, index) : null
  return compile(index, {
    named,
    parents: new Set([...(named ?? [])].flatMap(({ parent }) => parent ?? [])),
    excluded: findAttributes(excludedAttributes ?? [], index),
    withRequested: false,
  })
}

function compile(index: AttributeIndex, choice: Choice): Projection {
  const rules: Rules = new Map()
  for (const schema of index.schemas.values()) {
    if (schema.container !== null)
      setRule(rules, schema.container, compileExtensionRule(schema, choice))
  }
  for (const [name, rule] of compileRules(index.core, choice)) rules.set(name, rule)
  return (resource) => selectMembers(resource, rules, choice.named === null)
}

/** Rules under a definition's name, both as spelled there and folded. */
type Rules = Map<string, Rule | false>

function setRule(rules: Rules, name: string, rule: Rule | false): void {
  rules.set(name, rule)
  rules.set(fold(name), rule)
}

/** The attributes a query names. */
interface Choice {
  /** Null if the query selects everything returned by default. */
  readonly named: ReadonlySet<AttributeNode> | null
  /** The complex attributes with a named part. */
  readonly parents: ReadonlySet<AttributeNode>
  readonly excluded: ReadonlySet<AttributeNode>
  /** Whether attributes returned on `request` are kept without being named. */
  readonly withRequested: boolean
}

function compileExtensionRule(schema: SchemaNode, choice: Choice): Rule | false {
  const rules = compileRules(schema, choice)
  if (![...rules.values()].some(Boolean)) return false
  return (value) => {
    if (!isJsonObject(value)) return value
    return unlessEmpty(selectMembers(value, rules, choice.named === null))
  }
}

function compileRules(schema: SchemaNode, choice: Choice): Rules {
  const rules: Rules = new Map()
  for (const node of schema.attributes.values())
    setRule(rules, node.name, compileRule(node, choice))
  setRule(rules, schema.attributes.get(PASSWORD)?.name ?? PASSWORD, false)
  return rules
}

/** RFC 7643 §4.1.1: a password is never returned, even if a definition omits it or allows it. */
const PASSWORD = 'password'

function compileRule(node: AttributeNode, choice: Choice): Rule | false {
  // A named part includes its parent, unless the parent is never returned.
  const partial =
    node.returned !== 'never' && choice.parents.has(node) && choice.named?.has(node) === false
  if (!partial && !isKept(node, choice)) return false
  const rules: Rules = new Map()
  for (const part of node.subAttributes.values()) {
    setRule(rules, part.name, partial ? isKept(part, choice) : isPartKept(part, choice))
  }
  if ([...rules.values()].every((rule) => rule === true)) return true
  const reduce = (value: unknown): unknown =>
    isJsonObject(value) ? unlessEmpty(selectMembers(value, rules, !partial)) : value
  return (value) => {
    if (!Array.isArray(value)) return reduce(value)
    const kept = value.map(reduce).filter((element) => element !== undefined)
    return kept.length === 0 ? undefined : kept
  }
}

/** For a kept attribute: the parts returned by default, and the named parts. */
function isPartKept(part: AttributeNode, choice: Choice): boolean {
  if (part.returned === 'request') return isKept(part, choice)
  return isKept(part, { ...choice, named: null })
}

// RFC 7643 §7, `returned`
function isKept(node: AttributeNode, { named, excluded, withRequested }: Choice): boolean {
  switch (node.returned) {
    case 'always':
      return true
    case 'never':
      return false
    case 'request':
      return withRequested || (named?.has(node) ?? false)
    case 'default':
      return named === null ? !excluded.has(node) : named.has(node)
  }
}

function selectMembers(value: object, rules: Rules, keepUnknown: boolean): JsonObject {
  const members: [string, unknown][] = []
  for (const [name, member] of Object.entries(value)) {
    const rule = rules.get(name) ?? rules.get(fold(name)) ?? keepUnknown
    if (rule === false) continue
    const kept = rule === true ? member : rule(member)
    if (kept !== undefined) members.push([name, kept])
  }
  // Members are defined, never assigned, so no name can reach a prototype.
  return Object.fromEntries(members)
}
