import type { Components } from '@plumbline/base'
import type { SecuritySchemes } from '@plumbline/openapi'
import type { Arbitrary } from 'fast-check'
import { planMembers } from '../members/plan.ts'
import type { Source } from '../source.ts'
import type { Aim } from './aim.ts'
import { curlOf } from './curl.ts'
import type { GeneratedFailure } from './error.ts'
import type { FastCheck } from './fast-check.ts'
import { createIds, type Ids } from './ids.ts'
import type { Judge } from './judge.ts'
import { type GeneratedApi, type GenerateOptions, requireCredentials } from './options.ts'
import { type BrokenPart, isAsMeant, KNOWN, type Making, type Parts, partsOf } from './parts.ts'
import type { OperationPlan } from './plan.ts'
import { arrivesUnchanged } from './read-back.ts'
import { createSend, type Difference, type GeneratedExchange, type Send } from './session.ts'
import { createValues } from './values.ts'

/** The state shared by all tests from one `generateTests` call. */
export interface Run {
  readonly source: Source
  readonly seed: number
  readonly runs: number
  readonly making: Making
  readonly ids: Ids
  readonly send: Send
  /** Whether a request's parts are as intended, and arrive as they were made. */
  readonly isAsMeant: (
    plan: OperationPlan,
    parts: Parts,
    broken: BrokenPart | null,
  ) => Promise<boolean>
  /** Returns a path parameter value not contained in any answer. */
  readonly otherwise: (plan: OperationPlan, name: string) => Promise<unknown>
}

/** Prepares credentials and resources, and loads fast-check. */
export async function startRun(
  api: GeneratedApi,
  options: GenerateOptions & {
    readonly source: Source
    readonly plans: readonly OperationPlan[]
    readonly components: Components
    readonly schemes: SecuritySchemes
    readonly aim: Aim
  },
): Promise<Run> {
  const { seed = 0, runs = 50, recorder, credentials = {}, plans, components } = options
  const { source, schemes, basePath = '' } = options
  const { default: fc } = await import('fast-check')
  const given = (await options.setup?.()) ?? {}
  const send = createSend(api, {
    source,
    schemes,
    basePath,
    recorder,
    credentials:
      typeof credentials === 'function'
        ? requireCredentials(await credentials(), schemes)
        : credentials,
  })
  const making: Making = {
    fc,
    components,
    aimed: new Map(),
    json: createValues(fc, components),
    header: createValues(fc, components, 'header'),
    isKnown: (plan, name) => ids.isKnown(plan, name),
    isWanted: ({ operation }, kind, name) => options.aim.wants(operation.operationId, kind, name),
    membersOf: ({ operation }) => planMembers(source)(operation),
  }
  const isMeant: Run['isAsMeant'] = async (plan, parts, broken) =>
    isAsMeant(parts, plan, components, broken) &&
    (await arrivesUnchanged(source, plan, parts, basePath))
  const sample = createSampler(fc, seed)
  const otherwise: Run['otherwise'] = async (plan, name) => {
    const found = plan.parameters.find((one) => one.location === 'params' && one.name === name)
    const all = plan.parameters.filter(({ location }) => location === 'params')
    const known = Object.fromEntries(all.map((one) => [one.name, KNOWN]))
    const value = await sample(making.json(found?.schema), (one) =>
      arrivesUnchanged(source, plan, { ...EMPTY, params: { ...known, [name]: one } }, basePath),
    )
    return value ?? 'unknown'
  }
  const ids: Ids = createIds(plans, given, async (plan, params) => {
    const arbitrary = partsOf(plan, making, { broken: null, isAnyPath: false })
    const parts = await sample(arbitrary, (one) => isMeant(plan, one, null))
    return parts && (await send(plan, { ...parts, params: { ...parts.params, ...params } }))
  })
  return { source, seed, runs, making, ids, send, isAsMeant: isMeant, otherwise }
}

/** Returns a fitting generated value, or null if none of several fits. */
type Sample = <Value>(
  values: Arbitrary<Value> | null,
  isFitting: (value: Value) => Promise<boolean>,
) => Promise<Value | null>

/** How many values are tried before none fits. */
const MAX_SAMPLES = 20

/** Creates a function whose samples depend on the seed, and differ from each other. */
function createSampler(fc: FastCheck, seed: number): Sample {
  let samples = seed
  return async (values, isFitting) => {
    samples += 1
    if (values === null) return null
    // From the last, because later values are larger. Most often it fits, so each is made only when it is needed.
    for (let at = MAX_SAMPLES - 1; at >= 0; at -= 1) {
      const sampled = fc.sample(values, { seed: samples, numRuns: 1, path: `${at}` })
      for (const one of sampled) if (await isFitting(one)) return one
    }
    return null
  }
}

/** The requests one test sends. */
export interface Trial {
  readonly plan: OperationPlan
  readonly broken?: BrokenPart | null
  readonly runs: number
  readonly difference?: Difference
  readonly judge: (isUnknown: boolean) => Judge
  /** A failure's pointer; defaults to the pointer to the broken part or to the operation. */
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
  const fc: FastCheck = run.making.fc
  const isValid = broken === null && difference === undefined
  const arbitrary = partsOf(plan, run.making, { broken, isAnyPath: isValid })
  if (arbitrary === null) return { sent: 0, failure: null }
  let [sent, shrunk] = [0, 0]
  let found: { readonly exchange: GeneratedExchange; readonly message: string } | undefined
  const property = fc.asyncProperty(arbitrary, async (generated) => {
    fc.pre(await run.isAsMeant(plan, generated, broken))
    if (found !== undefined) {
      shrunk += 1
      if (shrunk > MAX_SHRINKS) return true
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
    maxSkipsPerRun: MAX_SKIPS,
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
    answer: exchange.text.slice(0, MAX_SHOWN),
  }
}

const EMPTY: Parts = { params: {}, query: {}, headers: {}, cookies: {}, body: null }
/** How many requests may be sent to make a failing one smaller. */
const MAX_SHRINKS = 50
/** How many values may be dropped for each request. */
const MAX_SKIPS = 50
const MAX_SHOWN = 500
