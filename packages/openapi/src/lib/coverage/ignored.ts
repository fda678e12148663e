import type { CoverageItem, CoverageKind } from '../conformance/report.ts'

/** Items that tests need not cover: those that have each of the given properties. */
export interface IgnoredCoverage {
  /** The operation; by default, every operation. */
  readonly operationId?: string | undefined
  /** The kind of the items; by default, every kind. */
  readonly kind?: CoverageKind | undefined
  /** The name of the item; by default, every name. */
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

/** Whether an entry matches an item of an operation. */
export function matchesItem(
  { operationId, kind, name }: IgnoredCoverage,
  owner: string,
  item: CoverageItem,
): boolean {
  return (
    (operationId === undefined || operationId === owner) &&
    (kind === undefined || kind === item.kind) &&
    (name === undefined || name === item.name)
  )
}
