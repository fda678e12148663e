import { readFile } from 'node:fs/promises'
import { failure, isFailure, type Result, success } from '@plumbline/result'
import { PATCH_OP_SCHEMA, type ScimError } from '@plumbline/scim'
import type { Discovery } from '@plumbline/scim/discovery'
import { applyPatch, parsePatch } from '@plumbline/scim/patch'
import * as z from 'zod'
import { SourceError } from './source.ts'

/** The column for an attribute's value. */
export interface ColumnMapping {
  readonly column: string
  /** Values by cell; other cells are values themselves. */
  readonly values: Readonly<Record<string, string>>
}

/** The columns in a CSV file with users or memberships. */
export interface Mapping {
  readonly delimiter: string
  /** Keyed by attribute path, such as `emails[type eq "work"].value`; null for memberships. */
  readonly users: readonly (readonly [path: string, mapping: ColumnMapping])[] | null
  /** Null for users. */
  readonly memberships: Record<'group' | 'member', KeyMapping> | null
}

/** The column for finding a resource. */
export interface KeyMapping {
  readonly by: 'id' | 'externalId' | 'name'
  readonly column: string
}

/** Reads a mapping file, which assigns columns to attributes. */
export async function readMapping(file: string): Promise<Mapping> {
  let json: unknown
  try {
    json = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw new SourceError(`${file} cannot be read as JSON`, { cause: error })
  }
  const parsed = MAPPING.safeParse(json)
  if (!parsed.success) throw new SourceError(`${file}: ${z.prettifyError(parsed.error)}`)
  const { delimiter, users = null, memberships = null } = parsed.data
  if ((users === null) === (memberships === null)) {
    throw new SourceError(`${file} must have either "users" or "memberships"`)
  }
  return {
    delimiter,
    users: users && Object.entries(users),
    memberships: memberships && {
      group: keyOf(memberships.group),
      member: keyOf(memberships.member),
    },
  }
}

/** Returns the columns named in a mapping. */
export function columnsOf({ users, memberships }: Mapping): readonly string[] {
  const ofUsers = (users ?? []).map(([, { column }]) => column)
  const ofMembers = Object.values(memberships ?? {}).map(({ column }) => column)
  return [...ofUsers, ...ofMembers]
}

/** Returns the operations for setting a row's attributes. An empty cell leaves its attribute unchanged. */
export function operationsOf(
  users: NonNullable<Mapping['users']>,
  cell: (column: string) => string,
): readonly object[] {
  return users.flatMap(([path, { column, values }]) => {
    const text = cell(column)
    const value = Object.hasOwn(values, text) ? values[text] : text
    return value === '' ? [] : [{ op: 'add', path, value }]
  })
}

/** Builds the resource that results from operations. */
export function resourceOf(
  operations: readonly object[],
  definitions: Discovery.Definitions,
): Result<Record<string, unknown>, ScimError> {
  if (operations.length === 0) return success({})
  const parsed = parsePatch({ schemas: [PATCH_OP_SCHEMA], Operations: operations })
  return isFailure(parsed) ? parsed : applyPatch({}, parsed.data, { definitions })
}

/** Checks a mapping's paths. */
export function checkPaths(
  users: NonNullable<Mapping['users']>,
  definitions: Discovery.Definitions,
): Result<null, SourceError> {
  for (const [path] of users) {
    const read = resourceOf([{ op: 'add', path, value: 'true' }], definitions)
    if (isFailure(read) && PATH_FAULTS.has(read.error.scimType ?? '')) {
      const reason = read.error.message.replace(/^Operations\[0\](.path)?: /, '')
      return failure(new SourceError(`the mapping of ${path}: ${reason}`))
    }
  }
  return success(null)
}

function keyOf(key: Readonly<Record<string, string>>): KeyMapping {
  const [[name, column] = ['id', '']] = Object.entries(key)
  return { by: name === 'id' || name === 'externalId' ? name : 'name', column }
}

/** All other faults concern a value. */
const PATH_FAULTS: ReadonlySet<string> = new Set(['invalidPath', 'mutability', 'noTarget'])
const COLUMN = z
  .union([
    z.string(),
    z.strictObject({ column: z.string(), values: z.record(z.string(), z.string()) }),
  ])
  .transform((one) => (typeof one === 'string' ? { column: one, values: {} } : one))
const MAPPING = z.strictObject({
  delimiter: z.string().min(1).max(10).default(','),
  users: z.record(z.string(), COLUMN).optional(),
  memberships: z
    .strictObject({ group: keySchema('displayName'), member: keySchema('userName') })
    .optional(),
})

function keySchema(name: string) {
  return z.union([
    z.strictObject({ id: z.string() }),
    z.strictObject({ externalId: z.string() }),
    z.strictObject({ [name]: z.string() }),
  ])
}
