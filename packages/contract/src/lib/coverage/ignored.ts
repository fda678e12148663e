import { isJsonObject, type Outcome } from '@plumbline/base'
import type { CoverageItem, CoverageKind } from '../report.ts'

/** A filter for items tests need not cover: items match if all given properties are equal. */
export interface IgnoredCoverage {
  /** The operation; defaults to every operation. */
  readonly operationId?: string | undefined
  /** The item kind; defaults to every kind. */
  readonly kind?: CoverageKind | undefined
  /** The item's name; defaults to every name. */
  readonly name?: string | undefined
  /** Why no test covers it. */
  readonly reason: string
}

/** Throws a TypeError for an entry without a reason or without a filter. */
export function checkIgnored(ignore: readonly IgnoredCoverage[]): void {
  for (const [at, { operationId, kind, name, reason }] of ignore.entries()) {
    if (typeof reason !== 'string' || reason.trim() === '') {
      throw new TypeError(`ignore[${at}] does not have a reason`)
    }
    if (operationId === undefined && kind === undefined && name === undefined) {
      throw new TypeError(`ignore[${at}] must have an operationId, a kind or a name`)
    }
  }
}

/** Whether an entry matches an operation's item, or the document's item if `owner` is null. */
export function matchesItem(
  { operationId, kind, name }: IgnoredCoverage,
  owner: string | null,
  item: CoverageItem,
): boolean {
  return (
    (operationId === undefined || operationId === owner) &&
    (kind === undefined || kind === item.kind) &&
    (name === undefined || name === item.name)
  )
}

/** Reads entries from a value, such as a file's content; `checkIgnored` checks the rest. */
export function readIgnored(
  value: unknown,
): Outcome<readonly IgnoredCoverage[], { readonly message: string }> {
  if (!Array.isArray(value)) return { fault: { message: 'must be a list' } }
  for (const [at, entry] of value.entries()) {
    if (!isJsonObject(entry)) return { fault: { message: `ignore[${at}] must be an object` } }
    for (const [name, member] of Object.entries(entry)) {
      // A misspelt filter would be left out, so the entry would match more items.
      if (!MEMBERS.includes(name)) {
        return { fault: { message: `ignore[${at}] has the unknown member ${name}` } }
      }
      if (typeof member !== 'string') {
        return { fault: { message: `ignore[${at}].${name} must be a string` } }
      }
    }
  }
  return { value }
}

const MEMBERS: readonly string[] = ['operationId', 'kind', 'name', 'reason']
