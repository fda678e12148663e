import { FORM, isBinaryType, isJson, MULTIPART, matchesRange, mediaTypeOf } from '@plumbline/base'
import type { Shortfall } from './authorize.ts'
import { type GeneratedFailure, GeneratedTestError } from './error.ts'
import { judgeRejected, judgeValid, NOT_VALID, statusesOf } from './judge.ts'
import type { BrokenPart } from './parts.ts'
import type { BodyPlan, OperationPlan } from './plan.ts'
import { type Run, runTrial, type TestBody, type Trial } from './run.ts'
import { findUnsatisfiable } from './unsatisfiable.ts'
import type { Replaced } from './write.ts'

/** Tests that valid requests get an answer the operation declares. */
export const testValid =
  (plan: OperationPlan): TestBody =>
  async (run) => {
    const statuses = new Set<number>()
    const judge = judgeValid(plan)
    const { sent, failure } = await runTrial(run, {
      plan,
      runs: run.runs,
      judge: () => (exchange) => {
        statuses.add(exchange.response?.status ?? 0)
        return judge(exchange)
      },
    })
    const { operationId } = plan.operation
    const isMissing =
      sent === 0 || plan.bodies.some(({ schema }) => run.making.json(schema) === null)
    const unsatisfiable = isMissing ? findUnsatisfiable(plan, run.making) : null
    if (unsatisfiable !== null) {
      throw new TypeError(`${operationId}: no value was found for the schema at ${unsatisfiable}`)
    }
    throwFailures(run, [failure])
    if (sent === 0) {
      throw new TypeError(
        `${operationId}: no valid request at ${plan.pointer} arrives as it was made`,
      )
    }
    if ([...statuses].every((status) => status === 401 || status === 403)) {
      throw new TypeError(
        `${operationId}: every request was answered ${[...statuses].join(' or ')}`,
      )
    }
  }

/** Tests that breaking one constraint gets a declared 4xx. */
export const testBreaks =
  (plan: OperationPlan, breaks: readonly BrokenPart[]): TestBody =>
  async (run) => {
    const failures: (GeneratedFailure | null)[] = []
    for (const broken of breaks) {
      const inPath = broken.at.location === 'params'
      const judge = (isUnknown: boolean) =>
        judgeRejected('a request that breaks this constraint', [
          ...NOT_VALID,
          ...(inPath || isUnknown ? [404] : []),
        ])
      const trial = { plan, broken, judge, runs: Math.ceil(run.runs / 10) }
      failures.push((await runTrial(run, trial)).failure)
    }
    throwFailures(run, failures)
  }

/** Tests that a request without credentials, or with invalid ones, is rejected. */
export const testCredentials =
  (plan: OperationPlan): TestBody =>
  async (run) => {
    const statuses = statusesOf(run.source, 'unauthorized', [401, 403])
    const sendings = ['none', 'invalid'] as const
    await runEach(
      run,
      sendings.map((sending) => ({
        plan,
        runs: 1,
        difference: { sending },
        pointer: `${plan.pointer}/security`,
        judge: () =>
          judgeRejected(
            sending === 'none'
              ? 'a request without credentials'
              : 'a request with invalid credentials',
            statuses,
          ),
      })),
    )
  }

/** Tests that requests with one scope too few are rejected. */
export const testScopes =
  (plan: OperationPlan, shortfalls: readonly Shortfall[]): TestBody =>
  async (run) => {
    const statuses = statusesOf(run.source, 'forbidden', [403])
    await runEach(
      run,
      shortfalls.map(({ granted, scope }) => ({
        plan,
        runs: 1,
        difference: { granted },
        pointer: `${plan.pointer}/security`,
        judge: () => judgeRejected(`a request without the scope ${scope}`, statuses),
      })),
    )
  }

/** Tests that undeclared media types are rejected. */
export const testMediaTypes =
  (plan: OperationPlan): TestBody =>
  async (run) => {
    const ranges = plan.bodies.map(({ type }) => mediaTypeOf(type))
    const other = OTHER_TYPES.find((type) => !ranges.some((range) => matchesRange(range, type)))
    if (other === undefined) return
    const statuses = statusesOf(run.source, 'unsupportedMediaType', NOT_VALID)
    const replaced = { body: 'x', contentType: other }
    await runEach(run, [
      {
        plan,
        runs: 1,
        difference: { replaced },
        pointer: `${plan.pointer}/requestBody/content`,
        judge: () => judgeRejected(`a body of ${other}`, statuses),
      },
    ])
  }

/** Tests that a body with wrong syntax for the media type is rejected. */
export const testMalformed =
  (plan: OperationPlan): TestBody =>
  async (run) => {
    const statuses = statusesOf(run.source, 'malformed', NOT_VALID)
    await runEach(
      run,
      plan.bodies.flatMap((body) =>
        malformedBodies(body).map(
          (replaced): Trial => ({
            plan,
            runs: 1,
            difference: { replaced },
            pointer: body.pointer,
            judge: () => judgeRejected('a malformed body', statuses),
          }),
        ),
      ),
    )
  }

/** Whether an operation has a body whose media type has a syntax. */
export function hasMalformedBody({ bodies }: OperationPlan): boolean {
  return bodies.some((body) => malformedBodies(body).length > 0)
}

function malformedBodies({ type }: BodyPlan): readonly Replaced[] {
  const name = mediaTypeOf(type)
  const contentType = type
  const notUtf8 = { contentType, body: new Uint8Array([0x22, 0xff, 0x22]) }
  if (isJson(name)) return [{ contentType, body: '{"a":' }, notUtf8]
  if (name === FORM) return [{ contentType, body: 'a=%FF' }]
  if (name === MULTIPART) return [{ contentType: `${MULTIPART}; boundary=b`, body: 'not a part' }]
  return name.includes('*') || isBinaryType(name) || !name.startsWith('text/') ? [] : [notUtf8]
}

/** Tests that methods without an operation on this path are rejected. */
export const testMethods =
  (path: string, plans: readonly OperationPlan[]): TestBody =>
  async (run) => {
    const [plan] = plans.filter((one) => one.path === path)
    if (plan === undefined) return
    const status = run.source.defaultStatus('methodNotAllowed')
    const statuses = status === null ? [404, 405] : [status]
    const trials = METHODS.map(
      (method): Trial => ({
        plan,
        runs: 1,
        difference: { method },
        pointer: plan.pointer.replace(/\/[^/]*$/, ''),
        judge:
          () =>
          ({ response, violations }) => {
            if (response === null) return violations[0] ?? null
            const { status, headers } = response
            if (!statuses.includes(status)) {
              return `the method ${method} was answered ${status}, not ${statuses.join(' or ')}`
            }
            // RFC 9110 §15.5.6
            return status !== 405 || headers.has('Allow') ? null : 'a 405 does not have Allow'
          },
      }),
    )
    await runEach(run, trials)
  }

async function runEach(run: Run, trials: readonly Trial[]): Promise<void> {
  const failures: (GeneratedFailure | null)[] = []
  for (const trial of trials) failures.push((await runTrial(run, trial)).failure)
  throwFailures(run, failures)
}

function throwFailures({ seed }: Run, failures: readonly (GeneratedFailure | null)[]): void {
  const found = failures.filter((one) => one !== null)
  if (found.length > 0) throw new GeneratedTestError(found, seed)
}

const OTHER_TYPES = ['application/x-undeclared', 'text/x-undeclared', 'image/x-undeclared']
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
