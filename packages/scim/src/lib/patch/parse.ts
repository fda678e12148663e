import { isFailure, type Result } from '@plumbline/result'
import { PATCH_OP_SCHEMA } from '../constants.ts'
import { badRequest, resultOf, type ScimError } from '../error.ts'
import { parsePatchPath } from '../filter/parse.ts'
import type { Path } from '../filter/tree.ts'
import { isJsonObject, own } from '../json.ts'
import { readMessageMembers, requireSchema } from '../message/members.ts'
import { fold } from '../values/fold.ts'
import { readTextValue } from './coerce.ts'
import type { Operation, OperationName, ParseOptions } from './types.ts'

/**
 * Reads a PATCH request's body.
 *
 * `op` and member names match in any letter case. Fails with `400`: `invalidSyntax` if the body is not a PatchOp or
 * lacks something `reject` names, `invalidPath` for a malformed path, `invalidValue` if a value is missing, `noTarget`
 * for a `remove` without a path. `applyPatch` checks whether a path names an attribute.
 *
 * @example
 * ```ts
 * import { PATCH_OP_SCHEMA } from '@plumbline/scim'
 * import { parsePatch } from '@plumbline/scim/patch'
 * import { unwrap } from '@plumbline/result'
 *
 * const body = { schemas: [PATCH_OP_SCHEMA], Operations: [{ op: 'Remove', path: 'title' }] }
 * unwrap(parsePatch(body)).map(({ op }) => op) //=> ['remove']
 * ```
 * @see RFC 7644 §3.5.2
 */
export function parsePatch(
  body: unknown,
  { tolerate = [], reject = [] }: ParseOptions = {},
): Result<Operation[], ScimError> {
  return resultOf(() => {
    const members = readMessageMembers(body, () => 'the body', BODY_MEMBERS)
    requireSchema(own(members, 'schemas'), PATCH_OP_SCHEMA)
    const operations = own(members, 'Operations')
    if (!Array.isArray(operations)) throw badRequest('invalidSyntax', 'Operations must be a list')
    // RFC 7644 §3.5.2: "one or more" operations.
    if (operations.length === 0 && !tolerate.includes('empty-operations')) {
      throw badRequest('invalidSyntax', 'Operations must contain at least one operation')
    }
    const needsPath = reject.includes('missing-path')
    return operations.map((operation, at) => readPatchOperation(operation, at, needsPath))
  })
}

function readPatchOperation(operation: unknown, at: number, needsPath: boolean): Operation {
  const members = readMessageMembers(operation, () => placeOf(at), OPERATION_MEMBERS)
  // Not through `own`: V8 optimizes a read for the objects it has seen, and `own` reads all kinds.
  const op = readOperationName(Object.hasOwn(members, 'op') ? members.op : undefined, at)
  const path = readOperationPath(Object.hasOwn(members, 'path') ? members.path : undefined, at)
  const sent = Object.hasOwn(members, 'value') ? members.value : undefined
  const value = path === null ? readTextValue(sent, null) : sent
  if (needsPath && path === null)
    throw badRequest('invalidSyntax', `${placeOf(at)} requires a path`)
  if (op === 'remove') {
    // RFC 7644 §3.5.2.2
    if (path === null) throw badRequest('noTarget', `${placeOf(at)}: remove requires a path`)
    return value === undefined ? { op, path } : { op, path, value }
  }
  if (value === undefined)
    throw badRequest('invalidValue', `${placeOf(at)}: ${op} requires a value`)
  if (path === null && !isJsonObject(value)) {
    throw badRequest('invalidValue', `${placeOf(at)}: without a path the value must be an object`)
  }
  return { op, path, value }
}

/** Names an operation's place in messages. */
function placeOf(at: number): string {
  return `Operations[${at}]`
}

function readOperationName(value: unknown, at: number): OperationName {
  const name =
    typeof value === 'string'
      ? (OPERATION_NAMES.get(value) ?? OPERATION_NAMES.get(fold(value)))
      : undefined
  if (name !== undefined) return name
  throw badRequest('invalidSyntax', `${placeOf(at)}.op must be add, replace or remove`)
}

function readOperationPath(value: unknown, at: number): Path | null {
  if (value === undefined || value === null || value === '') return null
  if (typeof value !== 'string')
    throw badRequest('invalidPath', `${placeOf(at)}.path must be a string`)
  const path = parsePatchPath(value)
  if (isFailure(path)) throw badRequest('invalidPath', `${placeOf(at)}.path: ${path.error.message}`)
  return path.data
}

const BODY_MEMBERS: ReadonlySet<string> = new Set(['schemas', 'Operations'])
const OPERATION_NAMES: ReadonlyMap<string, OperationName> = new Map(
  (['add', 'replace', 'remove'] as const).map((name) => [name, name]),
)
const OPERATION_MEMBERS: ReadonlySet<string> = new Set(['op', 'path', 'value'])
