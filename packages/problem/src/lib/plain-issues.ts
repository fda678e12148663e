/** A validation issue as a schema library reports it (Standard Schema). */
export interface ReportedIssue {
  /** Why the value is not valid. */
  readonly message: string
  /** The keys leading to the value; undefined for the whole value. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** A validation issue as plain data. */
export interface PlainIssue {
  /** Why the value is not valid. */
  readonly message: string
  /** The keys leading to the value; empty for the whole value. */
  readonly path: readonly PropertyKey[]
}

/**
 * Copies a schema library's issues to plain data.
 *
 * A library may compute a message or a path when it is read, and the read may throw: ArkType throws for keys such as
 * `constructor`. The message is then `is not valid`.
 *
 * @example
 * ```ts
 * import { plainIssues } from '@plumbline/problem/core'
 *
 * plainIssues([{ message: 'Too small', path: [{ key: 'page' }] }]) //=> [
 * //     { message: 'Too small', path: ['page'] },
 * //   ]
 * ```
 */
export function plainIssues(issues: readonly ReportedIssue[]): PlainIssue[] {
  // Not `map`, which in ArkType's lists and paths returns another class.
  return Array.from(issues, (issue) => ({
    message: readOr('is not valid', () => String(issue.message)),
    path: readOr([], () => readPath(issue)),
  }))
}

function readPath({ path = [] }: ReportedIssue): readonly PropertyKey[] {
  return Array.from(path, (step) => (typeof step === 'object' ? step.key : step))
}

function readOr<Value>(fallback: Value, read: () => Value): Value {
  try {
    return read()
  } catch {
    return fallback
  }
}
