import { type AttributeIndex, type AttributeNode, fold, type SchemaNode } from '../attributes.ts'
import { isObject, type Members } from '../resource/read.ts'

// RFC 7643 §2.1: attribute names match in any letter case. A patch is written in the names of the
// definitions, so what is stored in another letter case is read as if it had them.

/** A resource whose attributes, and those of its extensions, have the names of the definitions. */
export function resourceInDefinedNames(
  resource: Members,
  { core, schemas }: AttributeIndex,
): Members {
  const containers = [...schemas.values()].flatMap(({ container }) => container ?? [])
  const named = renamed(resource, namesOf(core.attributes, containers))
  const extensions = [...schemas.values()].flatMap((schema) => extensionOf(named, schema))
  return extensions.length === 0 ? named : { ...named, ...Object.fromEntries(extensions) }
}

/** A complex value, or a list of them, whose sub-attributes have the names of the definition. */
export function valueInDefinedNames(
  value: unknown,
  { subAttributes, type }: AttributeNode,
): unknown {
  if (type !== 'complex') return value
  const names = namesOf(subAttributes)
  if (!Array.isArray(value)) return isObject(value) ? renamed(value, names) : value
  const elements = value.map((one) => (isObject(one) ? renamed(one, names) : one))
  return elements.every((one, at) => one === value[at]) ? value : elements
}

/** The member of an extension that has to be renamed inside. */
function extensionOf(
  resource: Members,
  { container, attributes }: SchemaNode,
): [string, Members][] {
  if (container === null || !Object.hasOwn(resource, container)) return []
  const { [container]: holder } = resource
  if (!isObject(holder)) return []
  const named = renamed(holder, namesOf(attributes))
  return named === holder ? [] : [[container, named]]
}

interface Names {
  readonly exact: ReadonlySet<string>
  readonly byFolded: ReadonlyMap<string, string>
}

function namesOf(
  attributes: ReadonlyMap<string, AttributeNode>,
  others: readonly string[] = [],
): Names {
  const names = [...[...attributes.values()].map(({ name }) => name), ...others]
  return { exact: new Set(names), byFolded: new Map(names.map((name) => [fold(name), name])) }
}

/** The same object where each known name is spelled as it is defined. */
function renamed(members: Members, names: Names): Members {
  for (const key in members) {
    if (!names.exact.has(key) && names.byFolded.has(fold(key))) return rename(members, names)
  }
  return members
}

/** Where an object has a name twice, the spelling of the definition wins. */
function rename(members: Members, { exact, byFolded }: Names): Members {
  const entries = Object.entries(members).flatMap(([key, value]): [string, unknown][] => {
    const name = exact.has(key) ? key : (byFolded.get(fold(key)) ?? key)
    return name !== key && Object.hasOwn(members, name) ? [] : [[name, value]]
  })
  return Object.fromEntries(entries)
}
