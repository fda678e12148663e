import type { Discovery } from '@plumbline/scim/discovery'

/** A resource type as the server describes it. */
export interface ExaminedType {
  readonly name: string
  /** The path below the base URL, such as `/Users`. */
  readonly endpoint: string
  /** The core schema's URN. */
  readonly schema: string
  /** The extensions' URNs. */
  readonly extensions: readonly { readonly schema: string; readonly required: boolean }[]
  /** The schemas' definitions, the core schema first. */
  readonly definitions: Discovery.Definitions
}

/** An attribute's definition, with the characteristics the server declares. */
export type Attribute = Discovery.Attribute

/** A resource type's definitions, the core schema first. */
export type Definitions = Discovery.Definitions

/** The data types of attributes (RFC 7643 §2.3). */
export type AttributeType = Attribute['type']

/** Whether a client may send the attribute. */
export function isWritable({ mutability = 'readWrite' }: Attribute): boolean {
  return mutability !== 'readOnly'
}

/** Whether a response may contain the attribute. */
export function isReadable({ mutability, returned = 'default' }: Attribute): boolean {
  return mutability !== 'writeOnly' && returned !== 'never'
}

/** Whether the server declares that every response contains an attribute, or the one around it. */
export function isAlways(type: ExaminedType, path: string | readonly string[]): boolean {
  const names = typeof path === 'string' ? path : path.join(':')
  const top = names.startsWith('urn:') ? names : (names.split('.')[0] ?? '')
  return [names, top].some((one) => findAttribute(type, one)?.returned === 'always')
}

/**
 * Finds a type's attribute by path, such as `name.givenName` or `urn:…:User:department`; undefined if the server does
 * not declare it.
 */
export function findAttribute(type: ExaminedType, path: string): Attribute | undefined {
  const urn = Object.keys(type.definitions).find((id) => path.startsWith(`${id}:`))
  const [name = '', ...parts] = (urn === undefined ? path : path.slice(urn.length + 1)).split('.')
  const top = type.definitions[urn ?? type.schema]?.attributes ?? []
  return parts.reduce<Attribute | undefined>(
    (attribute, part) => byName(attribute?.subAttributes ?? [], part),
    byName(top, name),
  )
}

function byName(attributes: readonly Attribute[], name: string): Attribute | undefined {
  return attributes.find((one) => one.name.toLowerCase() === name.toLowerCase())
}
