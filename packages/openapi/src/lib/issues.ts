import type { StandardSchemaV1 } from '@standard-schema/spec'

/** An issue as plain data, with a path of keys only. */
export interface PlainIssue {
  readonly message: string
  readonly path: readonly PropertyKey[]
}

/**
 * Copies the issues of a schema library once. A library may compute a message when it is read, and that
 * may throw: ArkType throws for keys such as `constructor`.
 */
export function plainIssues(issues: readonly StandardSchemaV1.Issue[]): readonly PlainIssue[] {
  return Array.from(issues, (issue) => ({
    message: guarded(() => String(issue.message), UNREADABLE),
    path: guarded(() => pathOf(issue), []),
  }))
}

/** The path of an ArkType issue is a subclass of Array whose `map` fails for a path of one number. */
function pathOf({ path = [] }: StandardSchemaV1.Issue): readonly PropertyKey[] {
  return Array.from(path, (step) => (typeof step === 'object' ? step.key : step))
}

function guarded<Value>(read: () => Value, otherwise: Value): Value {
  try {
    return read()
  } catch {
    return otherwise
  }
}

const UNREADABLE = 'is not valid'
