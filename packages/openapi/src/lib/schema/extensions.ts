import { type JsonObject, own } from '@plumbline/base'
import type { ProblemType } from '@plumbline/problem'
import { plainIssues } from '@plumbline/problem/core'
import { acceptsUndefined, runSchema, type SchemaResult } from './run-schema.ts'
import { isSchema, type Schema } from './standard-schema.ts'

/** One schema for all of a problem's extension members, or their schemas by name. */
export type Extensions = NonNullable<ProblemType['extensions']>

/** The schemas for extension members. */
export function schemasOf(extensions: Extensions): readonly Schema[] {
  return isSchema(extensions) ? [extensions] : Object.values(extensions)
}

/** Whether a record's member may be omitted: the schema accepts undefined, as `optional()` does. */
export function isOptional(schema: Schema): boolean {
  return acceptsUndefined(schema)
}

/** Whether extension members are valid. They are not if their schema validates asynchronously. */
export function acceptsMembers(extensions: Extensions, members: JsonObject): boolean {
  if (isSchema(extensions)) return accepts(extensions, members)
  return Object.entries(extensions).every(([name, schema]) => accepts(schema, own(members, name)))
}

function accepts(schema: Schema, value: unknown): boolean {
  const result = runSchema(schema, value)
  return !(result instanceof Promise) && !result.issues
}

/** Validates a problem's extension members. Issue paths begin at the members. */
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
