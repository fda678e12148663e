import { planMembers } from '../conformance/members/plan.ts'
import { prepareContracts } from '../conformance/responses.ts'
import type { Components } from '../json-schema/accepts.ts'
import type { Aim } from './aim.ts'
import { curlOf } from './curl.ts'
import type { GeneratedFailure } from './error.ts'
import type { FastCheck } from './fast-check.ts'
import { createIds, type Ids } from './ids.ts'
import type { Judge } from './judge.ts'
import { type GeneratedApi, type GenerateOptions, requireCredentials } from './options.ts'
import { type BrokenPart, isAsMeant, type Making, type Parts, partsOf } from './parts.ts'
import type { OperationPlan } from './plan.ts'
import { createSend, type Difference, type GeneratedExchange, type Send } from './session.ts'
import { isSendable } from './text.ts'
import { createValues } from './values.ts'

/** The state shared by all tests from one `generateTests` call. */
export interface Run {
  readonly api: GeneratedApi
  readonly seed: number
  readonly runs: number
  readonly making: Making
  readonly ids: Ids
  readonly send: Send
  /** Returns a path parameter value not contained in any answer. */
  readonly otherwise: (plan: OperationPlan, name: string) => unknown
}

/** Prepares credentials and resources, and loads fast-check. */
export async function startRun(
  api: GeneratedApi,
  options: GenerateOptions & {
    readonly plans: readonly OperationPlan[]
    readonly components: Components
    readonly aim: Aim
  },
): Promise<Run> {
  const { seed = 0, runs = 50, basePath, recorder, credentials = {}, plans, components } = options
  const { default: fc } = await import('fast-check')
  const given = (await options.setup?.()) ?? {}
  const send = createSend(api, {
    basePath: basePath ?? '',
    recorder,
    credentials:
      typeof credentials === 'function'
        ? requireCredentials(await credentials(), api.document.securitySchemes())
        : credentials,
  })
  const contracts = new Map(prepareContracts(api.document).all.map((one) => [one.operationId, one]))
  const membersOf = (operationId: string) => {
    const contract = contracts.get(operationId)
    // Each operation has a contract.
    if (contract === undefined) throw new TypeError(`${operationId} is not an operation`)
    return planMembers(api.document)(contract)
  }
  const making: Making = {
    fc,
    components,
    aimed: new Map(),
    json: createValues(fc, components),
    header: createValues(fc, components, 'header'),
    isKnown: (plan, name) => ids.isKnown(plan, name),
    isWanted: ({ operation }, kind, name) => options.aim.wants(operation.operationId, kind, name),
    membersOf: ({ operation }) => membersOf(operation.operationId),
  }
  let samples = seed
  const sample = (plan: OperationPlan) => {
    samples += 1
    return samplePart(fc, plan, making, samples)
  }
  const otherwise = ({ parameters }: OperationPlan, name: string) => {
    const found = parameters.find((one) => one.location === 'params' && one.name === name)
    const values = making.json(found?.schema)
    samples += 1
    const sampled = values === null ? [] : fc.sample(values, { seed: samples, numRuns: 20 })
    return sampled.findLast((one) => isSendable('params', one)) ?? 'unknown'
  }
  const ids: Ids = createIds(plans, given, async (plan, params) => {
    const parts = sample(plan)
    return parts && (await send(plan, { ...parts, params: { ...parts.params, ...params } }))
  })
  return { api, seed, runs, making, ids, send, otherwise }
}

function samplePart(
  fc: FastCheck,
  plan: OperationPlan,
  making: Making,
  seed: number,
): Parts | null {
  const arbitrary = partsOf(plan, making, { broken: null, isAnyPath: false })
  if (arbitrary === null) return null
  const sampled = fc.sample(arbitrary, { seed, numRuns: 20 })
  return sampled.findLast((one) => isAsMeant(one, plan, making.components, null)) ?? null
}

/** The requests sent by one test. */
export interface Trial {
  readonly plan: OperationPlan
  readonly broken?: BrokenPart | null
  readonly runs: number
  readonly difference?: Difference
  readonly judge: (isUnknown: boolean) => Judge
  /** A failure's pointer; by default the pointer to the broken part or to the operation. */
  readonly pointer?: string
}

/** A test body. */
export type TestBody = (run: Run) => Promise<void>

/** How many requests were sent, and the smallest failing one. */
export interface Outcome {
  readonly sent: number
  readonly failure: GeneratedFailure | null
}

/** Sends generated requests for an operation, and shrinks the first failing one. */
export async function runTrial(run: Run, trial: Trial): Promise<Outcome> {
  const { plan, broken = null, runs, difference, judge } = trial
  const { components } = run.making
  const fc: FastCheck = run.making.fc
  const isValid = broken === null && difference === undefined
  const arbitrary = partsOf(plan, run.making, { broken, isAnyPath: isValid })
  if (arbitrary === null) return { sent: 0, failure: null }
  let [sent, shrunk] = [0, 0]
  let found: { readonly exchange: GeneratedExchange; readonly message: string } | undefined
  const property = fc.asyncProperty(arbitrary, async (generated) => {
    fc.pre(isAsMeant(generated, plan, components, broken))
    if (found !== undefined) {
      shrunk += 1
      if (shrunk > MOST_SHRINKS) return true
    }
    const { parts, isUnknown } = await run.ids.fill(plan, generated, {
      mayReuse: !isValid,
      otherwise: run.otherwise,
    })
    const exchange = await run.send(plan, parts, difference)
    sent += 1
    const message = judge(isUnknown)(exchange)
    // A smaller request must fail in the same way, because the first one may have changed the resource.
    const status = exchange.response?.status
    if (message === null || (found && found.exchange.response?.status !== status)) return true
    found = { exchange, message }
    return false
  })
  const details = await fc.check(property, {
    seed: run.seed,
    numRuns: runs,
    maxSkipsPerRun: MOST_SKIPS,
  })
  if (found !== undefined) return { sent, failure: await describe(trial, found) }
  // An error comes from the options, such as missing credentials, or is a bug.
  if (details.errorInstance instanceof Error) throw details.errorInstance
  return { sent, failure: null }
}

async function describe(
  { plan, broken, pointer }: Trial,
  { exchange, message }: { readonly exchange: GeneratedExchange; readonly message: string },
): Promise<GeneratedFailure> {
  return {
    operationId: plan.operation.operationId,
    pointer: pointer ?? broken?.pointer ?? plan.pointer,
    constraint: broken?.constraint ?? null,
    message,
    curl: await curlOf(exchange.shown),
    status: exchange.response?.status ?? null,
    answer: exchange.text.slice(0, MOST_SHOWN),
  }
}

/** How many requests may be sent to make a failing one smaller. */
const MOST_SHRINKS = 50
/** How many values may be dropped for each request. */
const MOST_SKIPS = 50
const MOST_SHOWN = 500
