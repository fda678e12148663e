import { defined } from '@plumbline/base'
import { BULK_RESPONSE_SCHEMA, PATCH_OP_SCHEMA } from '../constants.ts'
import { isJsonObject } from '../json.ts'
import type { AttributeIndex } from '../schema/attribute-index.ts'
import { bulkIdsInBody, createFindIndex, type FindIndex, resolveBody } from './bodies.ts'
import { bulkIdsInPath, type Created, resolvePath } from './bulk-ids.ts'
import { deferReferences } from './defer.ts'
import { orderByDependency } from './dependency-order.ts'
import {
  callExecute,
  errorOutcome,
  isSuccessStatus,
  readCreated,
  unresolvedOutcome,
  writeOperationResponse,
} from './response.ts'
import { createTurns } from './turns.ts'
import type {
  BulkRequest,
  BulkResponse,
  Execute,
  Operation,
  OperationResponse,
  RejectedOperation,
  RunOptions,
} from './types.ts'

/**
 * Runs a bulk request's operations one after another, and returns the response body.
 *
 * Operations run in the request order, but after the operations whose new resources they reference as `bulkId:…`. Such
 * references are resolved in paths, in attributes that `resourceTypes` defines as references, such as `members.value`,
 * and in PATCH filters, such as `members[value eq "bulkId:a"]`. A `userName` or a password is never changed. Resources
 * with references to each other are created first, and a PATCH then adds the references to later resources. An
 * operation is `409 invalidValue` if it references a resource that was not created. If it has a `location`, the
 * resource exists without the reference. After `failOnErrors` errors, where 0 means 1, no further operation runs. If a
 * `version` is not an entity tag, the operation is `400 invalidValue`. Other tasks in the event loop, such as other
 * requests, run between two operations if 5 ms have passed. Linear, apart from the work in `execute`. Rejects if
 * `execute` throws an error other than a ScimError, or creates a resource without a location.
 *
 * @example
 * ```ts
 * import { BULK_REQUEST_SCHEMA, GROUP_SCHEMA, USER_SCHEMA } from '@plumbline/scim'
 * import { type Bulk, parseBulk, runBulk } from '@plumbline/scim/bulk'
 * import { unwrap } from '@plumbline/result'
 *
 * const members = [{ value: 'bulkId:babs' }]
 * const group = { schemas: [GROUP_SCHEMA], displayName: 'Guides', members }
 * const user = { schemas: [USER_SCHEMA], userName: 'babs' }
 * const body = {
 *   schemas: [BULK_REQUEST_SCHEMA],
 *   Operations: [
 *     { method: 'POST', path: '/Groups', bulkId: 'guides', data: group },
 *     { method: 'POST', path: '/Users', bulkId: 'babs', data: user },
 *   ],
 * }
 * const calls: Bulk.Call[] = []
 * const execute = async (call: Bulk.Call) => {
 *   calls.push(call)
 *   return { status: 201, location: `https://example.com${call.path}/${calls.length}` }
 * }
 * const request = unwrap(parseBulk(body, { maxOperations: 100, maxPayloadSize: 1_048_576 }))
 * const { Operations } = await runBulk(request, execute)
 * Operations.map(({ bulkId, status }) => `${bulkId} ${status}`) //=> ['guides 201', 'babs 201']
 * calls.map(({ path }) => path) //=> ['/Users', '/Groups']
 * calls[1]?.data //=> { schemas: [GROUP_SCHEMA], displayName: 'Guides', members: [{ value: '1' }] }
 * ```
 * @see RFC 7644 §3.7
 */
export async function runBulk(
  request: BulkRequest,
  execute: Execute,
  { resourceTypes, base = '' }: RunOptions = {},
): Promise<BulkResponse> {
  const nextTurn = createTurns()
  const executeInTurn: Execute = async (call) => {
    await nextTurn()
    return execute(call)
  }
  const steps = buildSteps(request.operations, createFindIndex(resourceTypes))
  const run: Run = { execute: executeInTurn, base, created: new Map(), started: new Set() }
  return await runSteps(run, steps, request.failOnErrors)
}

async function runSteps(
  run: Run,
  steps: readonly Step[],
  failOnErrors: number | null,
): Promise<BulkResponse> {
  const responses = new Map<Step, OperationResponse>()
  // RFC 7644 §3.7: the number of errors after which the remaining operations do not run.
  const limit = failOnErrors === null ? Number.POSITIVE_INFINITY : Math.max(1, failOnErrors)
  let errors = 0
  const settle = (step: Step, response: OperationResponse): void => {
    responses.set(step, response)
    if (!isSuccessStatus(Number(response.status))) errors += 1
  }

  for (const group of orderByDependency(steps.map(({ dependencies }) => dependencies))) {
    const unfinished: Unfinished[] = []
    for (const at of group) {
      const step = steps[at]
      if (step === undefined || errors >= limit) break
      const { response, deferred } = await runStep(run, step)
      if (deferred === null) settle(step, response)
      else unfinished.push({ step, response, deferred })
    }
    for (const each of unfinished) settle(each.step, await addDeferred(run, each, errors < limit))
  }
  const Operations = steps.flatMap((step) => responses.get(step) ?? [])
  return { schemas: [BULK_RESPONSE_SCHEMA], Operations }
}

/** An operation and its references. */
interface Step {
  readonly operation: Operation | RejectedOperation
  /** The attributes its body may have. */
  readonly index: AttributeIndex | null
  readonly references: ReadonlySet<string>
  /** The referenced bulkIds that an operation in the request creates. */
  readonly known: ReadonlySet<string>
  /** The positions of those operations. */
  readonly dependencies: readonly number[]
}

interface Run {
  readonly execute: Execute
  readonly base: string
  /** By bulkId. */
  readonly created: Map<string, Created>
  /** The bulkIds of the operations already run or rejected. */
  readonly started: Set<string>
}

/** A resource created without its references to later resources. */
interface Unfinished {
  readonly step: Step
  readonly response: OperationResponse
  readonly deferred: object
}

function buildSteps(operations: BulkRequest['operations'], findIndex: FindIndex): Step[] {
  const creators = new Map<string, number>()
  for (const [at, operation] of operations.entries()) {
    const { method, bulkId } = operation
    if (method === 'POST' && bulkId !== null && !('error' in operation)) creators.set(bulkId, at)
  }
  return operations.map((operation) => {
    if ('error' in operation) return { operation, ...WITHOUT_REFERENCES }
    const index = findIndex(operation)
    const references = new Set([
      ...bulkIdsInPath(operation.path),
      ...bulkIdsInBody(operation, index),
    ])
    const known = [...references].filter((id) => creators.has(id))
    const dependencies = known.map((id) => creators.get(id) ?? -1).sort((a, b) => a - b)
    return { operation, index, references, known: new Set(known), dependencies }
  })
}

const WITHOUT_REFERENCES = {
  index: null,
  references: new Set<string>(),
  known: new Set<string>(),
  dependencies: [],
} as const

/** Runs an operation. In a cycle, references to later operations are deferred. */
async function runStep(
  { execute, base, created, started }: Run,
  { operation, index, references, known }: Step,
): Promise<{ readonly response: OperationResponse; readonly deferred: object | null }> {
  if ('error' in operation) {
    const response = writeOperationResponse(operation, errorOutcome(operation.error), base)
    return { response, deferred: null }
  }
  const { method, bulkId, version, data } = operation
  const missing = [...references].filter((id) => !created.has(id))
  // Dependencies outside a cycle with this operation were started before it.
  const waiting = new Set(missing.filter((id) => known.has(id) && !started.has(id)))
  const lost = missing.find((id) => !waiting.has(id))
  if (method === 'POST' && bulkId !== null) started.add(bulkId)
  if (lost !== undefined) {
    const response = writeOperationResponse(operation, unresolvedOutcome(lost), base)
    return { response, deferred: null }
  }
  const path = resolvePath(operation.path, created)
  const { now, deferred } =
    index === null || !isJsonObject(data) || waiting.size === 0
      ? { now: data, deferred: null }
      : deferReferences(data, waiting, index)
  const sent = resolveBody({ method, data: now }, index, created) ?? undefined
  const call = defined({ method, path, version: version ?? undefined, data: sent })
  const outcome = await callExecute(execute, call)
  const response = writeOperationResponse({ method, path, bulkId }, outcome, base)
  if (!isSuccessStatus(outcome.status)) return { response, deferred: null }
  if (method === 'POST' && bulkId !== null) created.set(bulkId, readCreated(outcome))
  return { response, deferred }
}

/** RFC 7644 §3.7.1: adds the new resource's references to resources created later. */
async function addDeferred(
  { execute, base, created }: Run,
  { step: { operation, index, references }, response, deferred }: Unfinished,
  continues: boolean,
): Promise<OperationResponse> {
  const { location = '', version, status } = response
  const before = version === undefined ? { location } : { location, version }
  const lost = [...references].find((id) => !continues || !created.has(id))
  const own = created.get(operation.bulkId ?? '')
  if (lost !== undefined || own === undefined) {
    return writeOperationResponse(operation, { ...unresolvedOutcome(lost ?? ''), ...before }, base)
  }
  const added = resolveBody({ method: 'POST', data: deferred }, index, created)
  const Operations = Object.entries(Object(added)).map(([path, value]) => {
    return { op: 'add', path, value }
  })
  const outcome = await callExecute(execute, {
    method: 'PATCH',
    path: `${operation.path}/${encodeURIComponent(own.id)}`,
    data: { schemas: [PATCH_OP_SCHEMA], Operations },
  })
  // The POST response is now out of date.
  return isSuccessStatus(outcome.status)
    ? writeOperationResponse(operation, { ...outcome, location, status: Number(status) }, base)
    : writeOperationResponse(operation, { ...outcome, ...before }, base)
}
