import type { Discovery } from '@plumbline/scim/discovery'
import { memoize } from '../memoize.ts'
import type { ResourceType } from '../resources/resource-type.ts'
import { RESOURCE_TYPES } from '../resources/resource-types.ts'

/** Recognizes sensitive values of the clients of a tenant. */
export interface Sensitivity {
  /**
   * Whether a name, a path or any other text names a sensitive attribute: one that a definition never returns, or one
   * that is a password or a secret by its name. Letter case and compatibility characters do not matter.
   */
  isSensitive(text: string): boolean
  /** Whether a string assigns a value to a sensitive name, such as `password=…`. */
  isSensitiveText(text: string): boolean
}

/** The sensitivity of the attributes of resource types. The names of an extension are those of its tenant. */
export const sensitivityOf: (types: readonly ResourceType[]) => Sensitivity = memoize(
  (types: readonly ResourceType[]): Sensitivity => {
    const own = [...neverReturnedOf(types)].filter((name) => !NEVER.has(name)).map(escaped)
    // The name of an extension is a whole part of a path: any short name may be a part of other words.
    const custom = own.map((name) => `(?<![\\w$-])${name}(?![\\w$-])`)
    const sensitive = new RegExp(
      [...WORDS, 'authorization', 'api[-_ ]?key', ...custom].join('|'),
      'iu',
    )
    const assigned = [...WORDS, ...custom].join('|')
    const assignment = new RegExp(`(?:${assigned})[\\w"'\\s]{0,20}[=:]`, 'iu')
    return {
      isSensitive: (text) =>
        sensitive.test(text.length < LONGEST_NAME ? text.normalize('NFKC') : text),
      isSensitiveText: (text) => assignment.test(text),
    }
  },
).get

/** The names of the attributes, and of their sub-attributes, that are never returned. */
function neverReturnedOf(types: readonly ResourceType[]): ReadonlySet<string> {
  const all = types.flatMap(({ definitions }) => Object.values(definitions))
  return new Set(all.flatMap(({ attributes }) => [...neverReturned(attributes)]))
}

function* neverReturned(attributes: readonly Discovery.Attribute[]): Generator<string> {
  for (const { name, returned, mutability, subAttributes = [] } of attributes) {
    if (returned === 'never' || mutability === 'writeOnly') yield name
    yield* neverReturned(subAttributes)
  }
}

/** The pattern of a name (RFC 7643 §2.1). */
function escaped(name: string): string {
  return name.replaceAll('$', '\\$')
}

const NEVER = neverReturnedOf(RESOURCE_TYPES)
const NAMES = ['password', 'passwd', 'passphrase', 'pwd', 'secret', 'token', 'credential']
const WORDS = [...NAMES, ...[...NEVER].map(escaped)]
/** The text in place of a sensitive value. */
export const MASK = '***'
/** A longer text is not normalized, because that needs memory. */
const LONGEST_NAME = 4_096
/** The sensitivity of a tenant without extensions. */
export const DEFAULT_SENSITIVITY: Sensitivity = sensitivityOf(RESOURCE_TYPES)
