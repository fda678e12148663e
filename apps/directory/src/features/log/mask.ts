import { MASK } from '../../kernel/mask-tokens.ts'
import { maskFilter, maskPath } from './mask-text.ts'
import type { Sensitivity } from './sensitive.ts'

/** A JSON value without the values of sensitive attributes. */
export interface Masked {
  readonly value: unknown
  /** The removed strings, to remove them from messages too. */
  readonly secrets: readonly string[]
  /** Whether a filter or path with a sensitive value was changed: a message may quote part of it. */
  readonly isTextMasked: boolean
  /** Whether a large value was truncated. */
  readonly isCut: boolean
}

/** Size limits for a stored value. */
export interface MaskLimits {
  /** The total count, including objects, lists and strings. */
  readonly values: number
  /** The maximum length per string, in code units. */
  readonly text: number
  /** The total length as JSON in UTF-8, including names. */
  readonly bytes: number
}

/**
 * Copies a client's JSON value without sensitive attribute values. A value is sensitive if the member's name is, or if
 * the object's `path`, `name`, `type`, `key` or `attribute` is a sensitive name, as in a PATCH operation. Names are
 * found at every depth, in any letter case, and in JSON inside strings.
 */
export function mask(value: unknown, limits: MaskLimits, sensitivity: Sensitivity): Masked {
  const { values, bytes } = limits
  const run: Run = {
    limits,
    sensitivity,
    left: { values, bytes },
    secrets: [],
    isTextMasked: false,
    isCut: false,
  }
  // A string or a number isn't a SCIM body, so its meaning is unknown.
  const masked = typeof value === 'object' ? copy(run, value, 0) : hide(run, value)
  const { secrets, isTextMasked, isCut } = run
  return { value: masked, secrets, isTextMasked, isCut }
}

/** The state of one call. */
interface Run {
  readonly limits: MaskLimits
  readonly sensitivity: Sensitivity
  readonly left: { values: number; bytes: number }
  readonly secrets: string[]
  isTextMasked: boolean
  isCut: boolean
}

function copy(run: Run, value: unknown, depth: number): unknown {
  run.left.values -= 1
  if (run.left.values < 0 || depth > MAX_DEPTH) {
    run.isCut = true
    return CUT
  }
  if (typeof value === 'string') return copyText(run, value, depth)
  if (typeof value !== 'object' || value === null) return spend(run, value)
  spend(run, '')
  return Array.isArray(value)
    ? copyEach(run, value, (element) => copy(run, element, depth + 1))
    : copyObject(run, value, depth)
}

/** Counts the length of a string or another value. Returns a mark in its place if it doesn't fit. */
function spend<Value>(run: Run, value: Value): Value | string {
  run.left.bytes -= Buffer.byteLength(JSON.stringify(value) ?? '') + SEPARATOR
  if (run.left.bytes >= 0) return value
  run.isCut = true
  return CUT
}

function isFull({ left: { values, bytes } }: Run): boolean {
  return values < 0 || bytes < 0
}

function copyEach(
  run: Run,
  list: readonly unknown[],
  copyOne: (element: unknown) => unknown,
): unknown[] {
  const copied: unknown[] = []
  for (const element of list) {
    copied.push(copyOne(element))
    if (isFull(run)) break
  }
  return copied
}

function copyObject(run: Run, object: object, depth: number): object {
  const names = Object.keys(object)
  // Objects with so many members aren't searched for a naming member; all their values count as sensitive.
  const isNamed = names.length > MAX_MEMBERS || namesSensitive(run, object)
  const isComplex = namesComplex(run, object)
  const copied: [string, unknown][] = []
  for (const name of names) {
    if (isFull(run)) break
    const member: unknown = object[name as keyof typeof object]
    const isSensitive = run.sensitivity.isSensitive(name)
    const shown = cut(run, isSensitive ? changed(run, name, maskPath(name, run.sensitivity)) : name)
    const isHidden = isSensitive || (isNamed && !PLAIN.test(name))
    const isPart = run.sensitivity.isComplex(name) || (isComplex && !PLAIN.test(name))
    const copyShown = isPart ? copyComplex : copyMember
    copied.push([shown, isHidden ? hide(run, member) : copyShown(run, name, member, depth)])
  }
  return Object.fromEntries(copied)
}

/** Whether one member names a sensitive attribute, whose value is in another member. */
function namesSensitive({ sensitivity }: Run, object: object): boolean {
  return Object.entries(object).some(([name, member]) => {
    if (!NAMING.test(name) || typeof member !== 'string') return false
    // An address may be private.
    if (/^type$/i.test(name) && /^private$/i.test(member)) return false
    return sensitivity.isSensitive(member)
  })
}

/** Whether a member names a complex attribute with a sensitive sub-attribute, whose value is in another member. */
function namesComplex({ sensitivity }: Run, { path }: { readonly path?: unknown }): boolean {
  return typeof path === 'string' && sensitivity.isComplex(path)
}

/** Copies the value of a complex attribute, but hides what is in place of an object. */
function copyComplex(run: Run, _: string, member: unknown, depth: number): unknown {
  const copyOne = (one: unknown): unknown =>
    typeof one === 'object' && !Array.isArray(one) ? copy(run, one, depth + 1) : hide(run, one)
  return Array.isArray(member) ? copyEach(run, member, copyOne) : copyOne(member)
}

function copyMember(run: Run, name: string, member: unknown, depth: number): unknown {
  if (typeof member !== 'string') return copy(run, member, depth + 1)
  const isFilter = /^filter$/i.test(name)
  if (!isFilter && !/^path$/i.test(name)) return copy(run, member, depth + 1)
  const { sensitivity } = run
  if (isLong(run, member) && sensitivity.isSensitive(member)) return hideText(run, member)
  return cut(run, changed(run, member, (isFilter ? maskFilter : maskPath)(member, sensitivity)))
}

function changed(run: Run, before: string, after: string): string {
  if (after !== before) run.isTextMasked = true
  return after
}

/** A string may contain JSON: Entra ID sends a user's roles this way. */
function copyText(run: Run, text: string, depth: number): string {
  if (!JSON_START.test(text)) {
    // Only the start of a long string is stored, extended with a token that begins there.
    const start = text.slice(0, run.limits.text + MAX_TOKEN_LENGTH)
    return run.sensitivity.isSecret(start) ? hideText(run, text) : cut(run, text)
  }
  if (!run.sensitivity.isSensitive(text)) return cut(run, text)
  if (isLong(run, text)) return hideText(run, text)
  try {
    return cut(run, JSON.stringify(copy(run, JSON.parse(text), depth + 1)))
  } catch {
    return hideText(run, text)
  }
}

/** Whether a string is too long to examine its parts: nested JSON would be read many times. */
function isLong({ limits }: Run, text: string): boolean {
  return text.length > 10 * limits.text
}

/** Hides a string with a secret, which a message may quote without the rest. */
function hideText(run: Run, text: string): string {
  run.isTextMasked = true
  return hide(run, text)
}

/** Replaces a value, and remembers the strings in it. */
function hide<Value>(run: Run, value: Value): Value | string {
  if (value === null || value === undefined || value === '') return spend(run, value)
  remember(run, value, 0)
  return spend(run, MASK)
}

function remember(run: Run, value: unknown, depth: number): void {
  if (run.secrets.length >= MAX_SECRETS || depth > MAX_DEPTH) {
    run.isTextMasked = true
  } else if (typeof value !== 'object' || value === null) {
    if (value !== null && value !== '') run.secrets.push(String(value))
  } else {
    for (const member of Object.values(value)) {
      if (run.isTextMasked) return
      remember(run, member, depth + 1)
    }
  }
}

function cut(run: Run, text: string): string {
  if (text.length <= run.limits.text) return spend(run, text)
  run.isCut = true
  return spend(run, `${text.slice(0, run.limits.text)}${CUT}`)
}

const NAMING = /^(?:path|name|type|key|attribute)$/i
/** Members next to a sensitive attribute's name that don't hold its value. */
const PLAIN = /^(?:op|path|name|type|key|attribute|primary|schemas|method|bulkId|version|id)$/i
/** Marks an omitted part. */
const CUT = '…'
const MAX_DEPTH = 40
/** Above this, reading an object's member names takes longer than everything else here. */
const MAX_MEMBERS = 1_000
/** A comma or a colon. */
const SEPARATOR = 1
/** How far (code units) a token is searched for beyond the stored text. */
const MAX_TOKEN_LENGTH = 2_000
const JSON_START = /^\s*[[{"]/
/** With more secrets in a request, its message is hidden without comparing them. */
const MAX_SECRETS = 50
