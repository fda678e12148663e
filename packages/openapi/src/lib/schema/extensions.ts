import type { ProblemType } from '@plumbline/problem'
import { plainIssues } from '@plumbline/problem/core'
import { type JsonObject, own } from '../json/object.ts'
import { acceptsUndefined, runSchema, type SchemaResult } from './run-schema.ts'
import { isSchema, type Schema } from './standard-schema.ts'

/** The schema of the extension members of a problem, or their schemas by name. */
export type Extensions = NonNullable<ProblemType['extensions']>

/** The schemas of extension members. */
export function schemasOf(extensions: Extensions): readonly Schema[] {
  return isSchema(extensions) ? [extensions] : Object.values(extensions)
}

/** Whether a member of a record may be omitted: its schema accepts undefined, as `optional()` does. */
export function isOptional(schema: Schema): boolean {
  return acceptsUndefined(schema)
}

/** Whether these are valid members. A schema that validates asynchronously accepts nothing. */
export function acceptsMembers(extensions: Extensions, members: JsonObject): boolean {
  if (isSchema(extensions)) return accepts(extensions, members)
  return Object.entries(extensions).every(([name, schema]) => accepts(schema, own(members, name)))
}

function accepts(schema: Schema, value: unknown): boolean {
  const result = runSchema(schema, value)
  return !(result instanceof Promise) && !result.issues
}

/** Validates the extension members of a problem. The paths of the issues begin at the members. */
export async function runExtensions(
  extensions: Extensions,
  members: JsonObject,
): Promise<SchemaResult> {
  if (isSchema(extensions)) return runSchema(extensions, members)
  const results = await Promise.all(
    Object.entries(extensions).map(async ([name, schema]) => {
      const result = await runSchema(schema, own(members, name))
      return 'cause' in result ? result : withinMember(name, result)
    }),
  )
  const thrown = results.find((result) => 'cause' in result)
  const issues = results.flatMap((result) => result.issues ?? [])
  return thrown ?? (issues.length > 0 ? { issues } : { value: members })
}

function withinMember(name: string, result: SchemaResult): SchemaResult {
  if (!result.issues) return result
  return {
    issues: plainIssues(result.issues).map(({ message, path }) => ({
      message,
      path: [name, ...path],
    })),
  }
}
