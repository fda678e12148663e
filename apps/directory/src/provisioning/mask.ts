import { maskFilter, maskPath } from './mask-text.ts'
import { DEFAULT_SENSITIVITY, MASK, type Sensitivity } from './sensitive.ts'

/** A JSON value without the values of sensitive attributes. */
export interface Masked {
  readonly value: unknown
  /** The strings that were removed, to remove them from messages too. */
  readonly secrets: readonly string[]
  /** Whether a filter or a path with a sensitive value was changed: a message may quote a part of it. */
  readonly isTextMasked: boolean
  /** Whether a part was left out because the value is large. */
  readonly isCut: boolean
}

/** The largest value to store. */
export interface MaskLimits {
  /** The number of objects, lists, strings and other values. */
  readonly values: number
  /** The length of each string. */
  readonly text: number
}

/**
 * Copies a JSON value of a client without the values of sensitive attributes: those of members with a sensitive name,
 * and of objects whose `path`, `name`, `type`, `key` or `attribute` is a sensitive name, such as an operation of a
 * PATCH. Names are found at every depth, in any letter case, also in JSON inside of strings.
 */
export function mask(
  value: unknown,
  limits: MaskLimits,
  sensitivity: Sensitivity = DEFAULT_SENSITIVITY,
): Masked {
  const run: Run = {
    limits,
    sensitivity,
    left: limits.values,
    secrets: [],
    isTextMasked: false,
    isCut: false,
  }
  // A string or a number is not a body of SCIM, so that its meaning is unknown.
  const masked = typeof value === 'object' ? copy(run, value, 0) : hide(run, value)
  const { secrets, isTextMasked, isCut } = run
  return { value: masked, secrets, isTextMasked, isCut }
}

/** The state of one call. */
interface Run {
  readonly limits: MaskLimits
  readonly sensitivity: Sensitivity
  left: number
  readonly secrets: string[]
  isTextMasked: boolean
  isCut: boolean
}

function copy(run: Run, value: unknown, depth: number): unknown {
  run.left -= 1
  if (run.left < 0 || depth > DEEPEST) {
    run.isCut = true
    return CUT
  }
  if (typeof value === 'string') return copyText(run, value, depth)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return copyList(run, value, depth)
  return copyObject(run, value, depth)
}

function copyList(run: Run, list: readonly unknown[], depth: number): unknown[] {
  const copied: unknown[] = []
  for (const element of list) {
    copied.push(copy(run, element, depth + 1))
    if (run.left < 0) break
  }
  return copied
}

function copyObject(run: Run, object: object, depth: number): object {
  const isNamed = namesSensitive(run, object)
  const copied: [string, unknown][] = []
  for (const [name, member] of Object.entries(object)) {
    if (run.left < 0) break
    const shown = cut(run, run.sensitivity.isSensitive(name) ? maskName(run, name) : name)
    const isHidden = run.sensitivity.isSensitive(name) || (isNamed && !PLAIN.test(name))
    copied.push([shown, isHidden ? hide(run, member) : copyMember(run, name, member, depth)])
  }
  return Object.fromEntries(copied)
}

/** Whether a member of an object says that its value belongs to a sensitive attribute. */
function namesSensitive({ sensitivity }: Run, object: object): boolean {
  return Object.entries(object).some(
    ([name, member]) =>
      NAMING.test(name) && typeof member === 'string' && sensitivity.isSensitive(member),
  )
}

function copyMember(run: Run, name: string, member: unknown, depth: number): unknown {
  if (typeof member !== 'string' || !run.sensitivity.isSensitive(member))
    return copy(run, member, depth + 1)
  if (/^filter$/i.test(name))
    return cut(run, changed(run, member, maskFilter(member, run.sensitivity)))
  if (/^path$/i.test(name)) return cut(run, maskName(run, member))
  return copy(run, member, depth + 1)
}

/** A name that is a path may contain a filter, such as `emails[token eq "…"].value`. */
function maskName(run: Run, name: string): string {
  return changed(run, name, maskPath(name, run.sensitivity))
}

function changed(run: Run, before: string, after: string): string {
  if (after !== before) run.isTextMasked = true
  return after
}

/** A string may be JSON: Entra ID sends the roles of a user as such a string. */
function copyText(run: Run, text: string, depth: number): string {
  if (!run.sensitivity.isSensitive(text)) return cut(run, text)
  if (!JSON_START.test(text))
    return run.sensitivity.isSensitiveText(text) ? String(hide(run, text)) : cut(run, text)
  try {
    return cut(run, JSON.stringify(copy(run, JSON.parse(text), depth + 1)))
  } catch {
    return String(hide(run, text))
  }
}

/** Replaces a value, and remembers the strings in it. */
function hide(run: Run, value: unknown): unknown {
  if (value === null || value === undefined || value === '') return value
  remember(run, value, 0)
  return MASK
}

function remember(run: Run, value: unknown, depth: number): void {
  if (run.secrets.length >= MOST_SECRETS || depth > DEEPEST) {
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
  if (text.length <= run.limits.text) return text
  run.isCut = true
  return `${text.slice(0, run.limits.text)}${CUT}`
}

const NAMING = /^(?:path|name|type|key|attribute)$/i
/** The members next to the name of a sensitive attribute that are not its value. */
const PLAIN = /^(?:op|path|name|type|key|attribute|primary|schemas|method|bulkId|version|id)$/i
/** The text in place of a part that was left out. */
const CUT = '…'
const DEEPEST = 40
const JSON_START = /^\s*[[{"]/
/** More secrets in one request are not compared with its message, which is hidden instead. */
const MOST_SECRETS = 50
