import {
  DEFINITIONS,
  isJsonObject,
  type JsonObject,
  nameInReference,
  own,
  type Step,
} from '@plumbline/base'
import type { Schema } from '../../schema/standard-schema.ts'
import { mapSubschemas } from '../../schema/walk.ts'
import { isZodName } from '../../schema/zod.ts'

/** One converted schema with its names. */
export interface Conversion {
  readonly json: JsonObject
  /** The `$defs` names by key. A definition without a name is inlined. */
  readonly names: ReadonlyMap<string, ComponentName>
  /** The root's name, if it has an id or contains itself. */
  readonly rootName: ComponentName | null
  /** Whether every key of `$defs` is the definition's name, as zod writes it. */
  readonly isKeyedByName: boolean
}

/** A schema's id, or the path to a nameless recursive schema. */
export type ComponentName =
  | { readonly kind: 'given'; readonly name: string }
  | { readonly kind: 'place'; readonly path: readonly Step[]; readonly shape: string }

/**
 * Finds the names in a conversion. Libraries name definitions in three ways: `$defs` keys (zod), an `id` left in the
 * schema (ArkType, Valibot), and counted keys, which are not names. A nameless schema needs a name only if it is
 * recursive.
 */
export function nameDefinitions(schema: Schema, json: JsonObject): Conversion {
  const id = idOf(json)
  const given: ComponentName | null = id === null ? null : { kind: 'given', name: id }
  const refersToItself = refersToRoot(json)
  if (json.$defs === undefined && !refersToItself) {
    return { json, names: NO_NAMES, rootName: given, isKeyedByName: true }
  }
  const definitions = isJsonObject(json.$defs) ? json.$defs : {}
  const names = givenNames(schema, json, definitions)
  const nameless = new Set(Object.keys(definitions).filter((key) => !names.has(key)))
  const isKeyedByName = [...names].every(
    ([key, name]) => name.kind === 'given' && name.name === key,
  )
  const isFlat = nameless.size === 0 && !refersToItself
  const circular = isFlat ? new Map() : findCircles(json, definitions, nameless)
  if (circular.size === 0) {
    return { json, names, rootName: given, isKeyedByName: isKeyedByName && nameless.size === 0 }
  }

  // Valibot writes a recursive root twice: as the root, and as the definition to which the circle returns.
  const root = toBareJson(json)
  let rootName: ComponentName | null = given
  for (const [key, path] of circular) {
    const definition = key === ROOT ? json : definitions[key]
    const text = toBareJson(definition)
    const shape = describeShape(definition, json, definitions, nameless)
    const isRoot = text === root
    const name: ComponentName = { kind: 'place', path: isRoot ? [] : path, shape }
    if (key !== ROOT) names.set(key, name)
    if (isRoot) rootName ??= name
  }
  return { json, names, rootName, isKeyedByName: false }
}

const NO_NAMES: Conversion['names'] = new Map()

/** Names a conversion whose definitions all have their name as the key and are not recursive. */
export function nameByKeys(json: JsonObject): Conversion {
  const id = idOf(json)
  const keys = isJsonObject(json.$defs) ? Object.keys(json.$defs) : []
  return {
    json,
    names:
      keys.length === 0 ? NO_NAMES : new Map(keys.map((name) => [name, { kind: 'given', name }])),
    rootName: id === null ? null : { kind: 'given', name: id },
    isKeyedByName: true,
  }
}

/** A schema's id, or null. */
export function idOf(schema: unknown): string | null {
  const id = own(schema, 'id') ?? own(schema, '$id')
  return typeof id === 'string' && id !== '' ? id : null
}

/** Schema ids by `$defs` key. */
function givenNames(
  schema: Schema,
  json: JsonObject,
  definitions: JsonObject,
): Map<string, ComponentName> {
  const isName = NAMED_KEYS[schema['~standard'].vendor] ?? (() => true)
  const names = new Map<string, string>()
  for (const [key, definition] of Object.entries(definitions)) {
    const name = idOf(definition) ?? (isName(key) ? key : null)
    if (name !== null) names.set(key, name)
  }
  const keys = Object.keys(definitions)
  if (keys.some((key) => names.get(key) !== key)) {
    const { twins, aliases, branches } = findNames(json, definitions)
    for (const key of keys) {
      const name = names.get(key) ?? aliases.get(key) ?? twins.get(toBareJson(definitions[key]))
      if (name !== undefined) names.set(key, name)
    }
    for (const key of branches) names.delete(key)
  }
  return new Map([...names].map(([key, name]) => [key, { kind: 'given', name }]))
}

/** Whether a `$defs` key is a name, for each library. In other libraries every key is a name. */
const NAMED_KEYS: Readonly<Record<string, (key: string) => boolean>> = {
  zod: isZodName,
  valibot: (key) => !/^\d+$/.test(key),
  // ArkType counts over the whole process, so the keys differ between runs.
  arktype: () => false,
}

/** Whether a schema refers to the root other than through a definition. */
function refersToRoot(json: JsonObject): boolean {
  let isFound = false
  const visit = (node: unknown): unknown => {
    if (!isJsonObject(node) || isFound) return node
    isFound = node.$ref === '#'
    return mapSubschemas(node, visit)
  }
  visit(json)
  return isFound
}

/** The root's key among the definitions. */
const ROOT = ''

/**
 * Finds nameless recursive definitions, each with the path where it is first used. The root's key is `ROOT`.
 */
function findCircles(
  json: JsonObject,
  definitions: JsonObject,
  nameless: ReadonlySet<string>,
): ReadonlyMap<string, readonly Step[]> {
  const circles = new Map<string, readonly Step[]>()
  const met = new Set<string>([ROOT])
  const open = new Map<string, readonly Step[]>([[ROOT, []]])
  // A named definition ends every circle through it, so it is searched separately.
  const named: [body: unknown, path: readonly Step[]][] = []
  const visit = (node: unknown, path: readonly Step[]): unknown => {
    if (!isJsonObject(node)) return node
    const key = keyOf(node)
    if (key !== null && open.has(key)) circles.set(key, open.get(key) ?? [])
    else if (key !== null && !met.has(key) && Object.hasOwn(definitions, key)) {
      met.add(key)
      if (nameless.has(key)) {
        open.set(key, path)
        visit(definitions[key], path)
        open.delete(key)
      } else named.push([definitions[key], path])
    }
    return mapSubschemas(node, (part, keyword, step) =>
      visit(part, step === undefined ? [...path, keyword] : [...path, keyword, step]),
    )
  }
  visit(json, [])
  open.delete(ROOT)
  for (let next = named.pop(); next; next = named.pop()) visit(...next)
  return circles
}

/** Names found elsewhere than on their own definition. */
interface FoundNames {
  /** By text: ArkType also writes a nameless copy of a named recursive schema. */
  readonly twins: ReadonlyMap<string, string>
  /** By key: Valibot writes a lazy schema's name next to the reference to it. */
  readonly aliases: ReadonlyMap<string, string>
  /** Keys for union branches on which ArkType repeats the union's name. */
  readonly branches: ReadonlySet<string>
}

function findNames(json: JsonObject, definitions: JsonObject): FoundNames {
  const twins = new Map<string, string>()
  const aliases = new Map<string, string>()
  const branches = new Set<string>()
  const visit = (node: unknown): unknown => {
    if (!isJsonObject(node)) return node
    const id = idOf(node)
    if (id === null) return mapSubschemas(node, visit)
    const key = keyOf(node)
    if (key === null) twins.set(toBareJson(node), id)
    else if (!aliases.has(key)) aliases.set(key, id)
    return mapSubschemas(node, (part, keyword) => {
      const branch = keyword === 'anyOf' && isJsonObject(part) ? keyOf(part) : null
      if (branch !== null && idOf(definitions[branch]) === id) branches.add(branch)
      return visit(part)
    })
  }
  visit(json)
  for (const definition of Object.values(definitions)) visit(definition)
  return { twins, aliases, branches }
}

/** Writes a nameless schema as text without the counted keys. */
function describeShape(
  definition: unknown,
  json: JsonObject,
  definitions: JsonObject,
  nameless: ReadonlySet<string>,
): string {
  const numbers = new Map<string, number>()
  const texts: string[] = []
  const waiting: unknown[] = [definition]
  const numberReferences = (node: unknown): unknown => {
    if (!isJsonObject(node)) return node
    const key = keyOf(node)
    const copy = mapSubschemas(withoutDefinitions(node), numberReferences)
    if (key === null || (key !== ROOT && !nameless.has(key))) return copy
    if (!numbers.has(key)) {
      numbers.set(key, numbers.size)
      waiting.push(key === ROOT ? json : definitions[key])
    }
    return { ...copy, $ref: numbers.get(key) }
  }
  for (let at = 0; at < waiting.length; at += 1)
    texts.push(JSON.stringify(numberReferences(waiting[at])))
  return texts.join('\n')
}

/** The key to which a node's `$ref` refers; null if it is not a definition in this conversion. */
function keyOf(node: JsonObject): string | null {
  if (typeof node.$ref !== 'string') return null
  return node.$ref === '#' ? ROOT : nameInReference(node.$ref, DEFINITIONS)
}

function toBareJson(schema: unknown): string {
  if (!isJsonObject(schema)) return JSON.stringify(schema)
  const { id: _id, $id: _uri, ...rest } = withoutDefinitions(schema)
  return JSON.stringify(rest)
}

function withoutDefinitions({ $defs: _defs, $schema: _schema, ...rest }: JsonObject): JsonObject {
  return rest
}
