import { memoize } from '@plumbline/base'
import { isJsonObject, type JsonObject, own } from '../json.ts'
import type { AttributeIndex, AttributeNode, SchemaNode } from '../schema/attribute-index.ts'
import { fold } from '../values/fold.ts'

// RFC 7643 §2.1: attribute names match in any letter case. A patch uses the definitions' spelling, so stored names in
// another letter case are read in that spelling.

/** Returns a resource with its attributes and its extensions' attributes spelled as in the definitions. */
export function respellResource(resource: JsonObject, index: AttributeIndex): JsonObject {
  const { names, extensions } = namesOfResource(index)
  const named = respell(resource, names)
  const changed: [string, JsonObject][] = []
  for (const [container, namesInside] of extensions) {
    const holder = own(named, container)
    if (!isJsonObject(holder)) continue
    const renamedHolder = respell(holder, namesInside)
    if (renamedHolder !== holder) changed.push([container, renamedHolder])
  }
  return changed.length === 0 ? named : { ...named, ...Object.fromEntries(changed) }
}

/** Returns a complex value, or a list of them, with sub-attributes spelled as in the definition. */
export function respellValue(value: unknown, { subAttributes, type }: AttributeNode): unknown {
  if (type !== 'complex') return value
  const names = namesOf(subAttributes)
  const named = (one: unknown): unknown => (isJsonObject(one) ? respell(one, names) : one)
  if (!Array.isArray(value)) return named(value)
  return isSpelled(value, names) ? value : value.map(named)
}

/** Whether a list's values have their known names spelled as in the definition. */
function isSpelled(values: readonly unknown[], { exact, byFolded }: Names): boolean {
  // Most values have the same names in the same order, and comparing those is faster than looking them up.
  const before: string[] = []
  for (const value of values) {
    if (!isJsonObject(value)) continue
    let at = 0
    for (const key in value) {
      if (before[at] !== key) {
        if (!exact.has(key) && byFolded.has(fold(key))) return false
        before[at] = key
      }
      at += 1
    }
  }
  return true
}

interface Names {
  readonly exact: ReadonlySet<string>
  readonly byFolded: ReadonlyMap<string, string>
}

interface ResourceNames {
  /** The core attributes, and the extensions' URNs. */
  readonly names: Names
  /** Each extension's attributes, keyed by URN. */
  readonly extensions: readonly (readonly [container: string, names: Names])[]
}

const namesOfResource = memoize(({ core, schemas }: AttributeIndex): ResourceNames => {
  const extensions = [...schemas.values()].flatMap(({ container, attributes }) =>
    container === null ? [] : [[container, namesOf(attributes)] as const],
  )
  const containers = extensions.map(([container]) => container)
  return { names: prepareNames([...namesOf(core.attributes).exact, ...containers]), extensions }
})

const namesOf = memoize(
  (attributes: SchemaNode['attributes']): Names =>
    prepareNames([...attributes.values()].map(({ name }) => name)),
)

function prepareNames(all: readonly string[]): Names {
  return { exact: new Set(all), byFolded: new Map(all.map((name) => [fold(name), name])) }
}

/** Returns the object with each known name spelled as in the definition; the same object if nothing changes. */
function respell(members: JsonObject, names: Names): JsonObject {
  const { exact, byFolded } = names
  for (const key in members) {
    if (!exact.has(key) && byFolded.has(fold(key))) return respellKeys(members, names)
  }
  return members
}

/** If an object has a name in two spellings, the definition's spelling wins. */
function respellKeys(members: JsonObject, { exact, byFolded }: Names): JsonObject {
  const entries = Object.entries(members).flatMap(([key, value]): [string, unknown][] => {
    const name = exact.has(key) ? key : (byFolded.get(fold(key)) ?? key)
    return name !== key && Object.hasOwn(members, name) ? [] : [[name, value]]
  })
  return Object.fromEntries(entries)
}
