import type { Discovery } from '@plumbline/scim/discovery'
import { RESOURCE_TYPES } from '../resources/resource-types.ts'

/**
 * Whether a name, a path or any other text names a sensitive attribute: one that a definition never returns, or one
 * that is a password or a secret by its name. Letter case and compatibility characters do not matter.
 */
export function isSensitive(text: string): boolean {
  return SENSITIVE.test(text.length < LONGEST_NAME ? text.normalize('NFKC') : text)
}

/** Whether a string assigns a value to a sensitive name, such as `password=…`. */
export function isSensitiveText(text: string): boolean {
  return ASSIGNMENT.test(text)
}

/** The names of the attributes, and of their sub-attributes, that are never returned. */
function* neverReturned(attributes: readonly Discovery.Attribute[]): Generator<string> {
  for (const { name, returned, subAttributes = [] } of attributes) {
    if (returned === 'never') yield name
    yield* neverReturned(subAttributes)
  }
}

const NEVER = RESOURCE_TYPES.flatMap(({ definitions }) =>
  Object.values(definitions).flatMap(({ attributes }) => [...neverReturned(attributes)]),
)
const NAMES = ['password', 'passwd', 'passphrase', 'pwd', 'secret', 'token', 'credential']
const WORDS = [...NAMES, ...NEVER.map((name) => name.replaceAll(/[^\w-]/g, '\\$&'))]
const SENSITIVE = new RegExp([...WORDS, 'authorization', 'api[-_ ]?key'].join('|'), 'iu')
const ASSIGNMENT = new RegExp(`(?:${WORDS.join('|')})[\\w"'\\s]{0,20}[=:]`, 'iu')
/** The text in place of a sensitive value. */
export const MASK = '***'
/** A longer text is not normalized, because that needs memory. */
const LONGEST_NAME = 4_096
