import { GROUP_SCHEMA, USER_SCHEMA } from '@plumbline/scim'
import {
  type Discovery,
  ENTERPRISE_USER_DEFINITION,
  GROUP_DEFINITION,
  USER_DEFINITION,
} from '@plumbline/scim/discovery'
import { type ExaminedType, findAttribute } from './types.ts'
import { findVocabulary, type Vocabulary } from './vocabulary.ts'

/** A user or group attribute the server declares, such as `User.name.givenName`. */
export type AttributeNeed = `User.${string}` | `Group.${string}`

/** The role a user attribute plays in a check, whatever its name. */
export type AttributeRole = 'text' | 'optional' | 'complex' | 'list' | 'kinds'

/** A user attribute in a role, such as `User:text`: a string a client may change. */
export type RoleNeed = `User:${AttributeRole}`

/** Returns why a server's schemas do not declare an attribute as a check needs it, or null. */
export function findAttributeReason(
  types: readonly ExaminedType[],
  need: AttributeNeed | RoleNeed,
): string | null {
  const [, name = '', path = ''] = /^(\w+)[.:](.*)$/.exec(need) ?? []
  const schema = name === 'User' ? USER_SCHEMA : GROUP_SCHEMA
  const type = types.find((one) => one.schema === schema)
  if (type === undefined) return `The server does not have the resource type ${name}.`
  if (isRoleNeed(need)) {
    const role = need.slice('User:'.length) as AttributeRole
    return ROLES[role].isFilled(findVocabulary(type)) ? null : describeLack(role)
  }
  if (findAttribute(type, path) === undefined)
    return `The schema of ${name} does not declare ${path}.`
  return findDeviation(type, path)
}

/** Says which role no user attribute fills. */
export function describeLack(role: AttributeRole): string {
  return `The schema of User does not declare ${ROLES[role].what}.`
}

/** A check expects the standard's characteristics. A server may declare others, such as a read-only title. */
function findDeviation(type: ExaminedType, path: string): string | null {
  const top = path.startsWith('urn:') ? path : (path.split('.')[0] ?? '')
  for (const one of new Set([top, path])) {
    const declared = findAttribute(type, one)
    const standard = findAttribute({ ...type, definitions: STANDARD }, one)
    for (const name of ['mutability', 'returned'] as const) {
      const usual = standard?.[name] ?? DEFAULTS[name]
      const found = declared?.[name] ?? DEFAULTS[name]
      if (found !== usual && found !== 'always')
        return `The server declares ${one} with ${name} ${found}.`
    }
  }
  return null
}

/** Whether a check needs an attribute in a role. */
export function isRoleNeed(need: string): need is RoleNeed {
  return need.startsWith('User:')
}

interface Role {
  readonly isFilled: (vocabulary: Vocabulary) => boolean
  /** The attribute, worded for a sentence about its absence. */
  readonly what: string
}

const ROLES: Readonly<Record<AttributeRole, Role>> = {
  text: { isFilled: ({ text }) => text !== undefined, what: 'a string that a client may change' },
  optional: {
    isFilled: ({ optional }) => optional !== undefined,
    what: 'an optional string in addition to userName',
  },
  complex: {
    isFilled: ({ complex }) => complex !== undefined,
    what: 'a complex attribute with two strings, such as name',
  },
  list: {
    isFilled: ({ list }) => list !== undefined,
    what: 'a list whose values have a type, such as emails',
  },
  kinds: {
    isFilled: ({ list }) => (list?.kinds.length ?? 0) > 1,
    what: 'a list whose values have two types, such as emails',
  },
}

const DEFAULTS = { mutability: 'readWrite', returned: 'default' } as const

const STANDARD: Discovery.Definitions = {
  [USER_DEFINITION.id]: USER_DEFINITION,
  [GROUP_DEFINITION.id]: GROUP_DEFINITION,
  [ENTERPRISE_USER_DEFINITION.id]: ENTERPRISE_USER_DEFINITION,
}
