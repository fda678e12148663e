import { fold } from '@plumbline/scim'
import type { Pseudonyms } from './pseudonyms.ts'
import { type ReplaceValue, replaceFilter, replacePath } from './replace-filter.ts'

/** Replaces values in requests and answers. */
export interface Replacements {
  /** Replaces a value of an attribute or another member. */
  readonly value: ReplaceValue
  /** Replaces values in a client's JSON. Attribute names stay. */
  body(value: unknown): unknown
  /** Replaces values in an answer, keeping only members that are the same in another directory. */
  answer(value: unknown): unknown
}

/** Creates the replacements for one recording. */
export function createReplacements({ replace }: Pseudonyms): Replacements {
  const value: ReplaceValue = (name, text) => {
    if (KEPT_NAMES.has(fold(name)) || KEPT_VALUES.has(fold(text))) return text
    return /^urn:[\w:.-]+$|^bulkId:[\w-]{1,100}$/i.test(text) ? text : replace(text)
  }
  /** Replaces the path of a bulk operation, such as `/Users/bulkId:a`. */
  const operationPath = (text: string): string => {
    const [, endpoint = '', ...rest] = text.split('/')
    return ['', endpoint, ...rest.map((part) => value('', part))].join('/')
  }
  const ofName = (name: string, text: string): unknown => {
    if (/^filter$/i.test(name)) return replaceFilter(text, value)
    if (/^path$/i.test(name))
      return text.startsWith('/') ? operationPath(text) : replacePath(text, value)
    // Entra ID sends a user's roles as JSON in a string.
    const parsed = /^\s*[[{]/.test(text) ? parseJson(text) : undefined
    return parsed === undefined ? value(name, text) : JSON.stringify(copy(name, parsed, []))
  }
  const copy = (name: string, given: unknown, omitted: readonly string[]): unknown => {
    if (typeof given === 'string') return ofName(name, given)
    if (typeof given === 'number')
      return KEPT_NUMBERS.has(name) ? given : Number(replace(`${given}`))
    if (typeof given !== 'object' || given === null) return given
    if (Array.isArray(given)) return given.map((element) => copy(name, element, omitted))
    const members = Object.entries(given).filter(([key]) => !omitted.includes(key))
    return Object.fromEntries(
      members.map(([key, member]) => [replacePath(key, value), copy(key, member, omitted)]),
    )
  }
  return {
    value,
    body: (given) => copy('', given, []),
    answer: (given) => copy('', given, CHANGING),
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Answer members that differ in another directory. */
const CHANGING = ['meta', 'detail', '$ref', 'location', 'version', 'groups', 'nextCursor']
/** Members whose values are protocol constants. */
const KEPT_NAMES = new Set(['op', 'method', 'bulkid', 'scimtype', 'status', 'resourcetype'])
const KEPT_NUMBERS = new Set([
  'count',
  'startIndex',
  'totalResults',
  'itemsPerPage',
  'failOnErrors',
])
/** Canonical values (RFC 7643 §4, §8.7.1), and values for search parameters. */
const KEPT_VALUES = new Set([
  'work',
  'home',
  'other',
  'mobile',
  'fax',
  'pager',
  'photo',
  'thumbnail',
  'user',
  'group',
  'direct',
  'indirect',
  'ascending',
  'descending',
])
