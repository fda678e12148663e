import { isFailure } from '@plumbline/result'
import type { Check } from '../check.ts'
import { examineStore } from '../examine.ts'
import type { Outcome } from '../report.ts'
import type { StoreContractOptions } from './contract-check.ts'
import { BASE, type StoresUnderTest, serve } from './serve.ts'
import { keptBy } from './shared.ts'
import {
  DEFAULT_TIMEOUT,
  limitTime,
  requireTimeout,
  STUCK_ADVICE,
  secondsOf,
  within,
} from './time-limit.ts'
import { ALL_TOPICS, MISSING, PROFILES, RACING } from './topics.ts'

/** The outcomes of a topic. */
export interface Examined {
  /** The outcomes by check id. */
  readonly outcomes: ReadonlyMap<string, Outcome>
  /** Why the topic's other checks did not run. */
  readonly skipped: string
  /** The request that was not answered in time; null without one. */
  readonly stuck: string | null
}

/** Returns whether this check's request was the one without an answer. */
export function isStuck({ stuck }: Examined): (outcome: Outcome) => boolean {
  return ({ status, reason }) =>
    status === 'unanswered' && stuck !== null && reason?.includes(stuck) === true
}

/** Options to examine topics. */
export interface ExaminedOptions extends StoreContractOptions {
  /** The ids of the checks that run, with the checks they need; all by default. */
  readonly only?: readonly string[]
}

/** Creates the stores for a topic. */
export type MakeStores<Context extends object> = () =>
  | StoresUnderTest<Context>
  | Promise<StoresUnderTest<Context>>

/**
 * Returns a function to examine topics, each one once. If a store call never ends, no more topics are examined: they
 * may share a pool without a free connection.
 */
export function examineTopics<Context extends object>(
  makeStores: MakeStores<Context>,
  options: ExaminedOptions,
): (topic: string) => Promise<Examined> {
  const { timeout = DEFAULT_TIMEOUT } = options
  requireTimeout(timeout)
  const topics = new Map<string, Promise<Examined>>()
  let stuck: string | null = null
  const examine = async (topic: string): Promise<Examined> => {
    const skipped = stuck ?? (RACING.has(topic) ? unsafe(await examineOnce('transactions')) : null)
    if (skipped !== null) return { outcomes: new Map(), skipped, stuck: null }
    const stores = await within((async () => await makeStores())(), timeout, () => {
      stuck = `makeStores did not return within ${secondsOf(timeout)}`
      return new Error(stuck)
    })
    const examined = await examineTopic(stores, topic, options, timeout)
    stuck ??= examined.stuck
    // A request before or after the checks was not answered, so no check fails for it.
    if (examined.stuck !== null && ![...examined.outcomes.values()].some(isStuck(examined))) {
      throw new Error(`${examined.stuck}\nwhat to do: ${STUCK_ADVICE}`)
    }
    return examined
  }
  const examineOnce = (topic: string): Promise<Examined> => {
    const examined = topics.get(topic) ?? examine(topic)
    topics.set(topic, examined)
    return examined
  }
  return examineOnce
}

/** Why simultaneous requests are not sent: they would wait for each other's connections forever. */
function unsafe({ outcomes }: Examined): string | null {
  return outcomes.get(SAFE)?.status === 'failed'
    ? `${SAFE} failed, so requests at the same time may wait for each other for ever`
    : null
}

/** The check that decides whether simultaneous requests are sent. */
const SAFE = 'transactions.create'

/** The checks of a topic that run, as `examine` selects them. */
function checksOf(topic: string, only: readonly string[] | undefined): readonly string[] {
  if (only === undefined) return [topic]
  const isRun = ({ id }: Check): boolean => only.includes(id) || id === SAFE
  return (ALL_TOPICS[topic] ?? []).filter(isRun).map(({ id }) => id)
}

async function examineTopic<Context extends object>(
  stores: StoresUnderTest<Context>,
  topic: string,
  options: ExaminedOptions,
  timeout: number,
): Promise<Examined> {
  const outcomes = new Map<string, Outcome>()
  const profile = PROFILES[topic]
  const time = limitTime(serve(stores, timeout, profile), timeout)
  try {
    const missing = MISSING[topic]?.(stores)
    if (missing !== undefined) return { outcomes, skipped: missing, stuck: null }
    const kept = new Map(stores.resourceTypes.map((type) => [type.name, keptBy(type, options)]))
    const report = await examineStore(time.fetch, {
      base: BASE,
      only: checksOf(topic, options.only),
      checks: Object.values(ALL_TOPICS).flat(),
      hostile: true,
      thorough: true,
      // An unavailable store will not become available. `time` ends a request earlier.
      limits: { retries: 0, timeout: 2 * timeout },
      profiles: profile && [profile],
      signal: time.signal,
      onOutcome: (outcome) => {
        outcomes.set(outcome.id, outcome)
        time.endCheck()
      },
      adapt: (resource, about) => kept.get(about.resourceType)?.adapt(resource, about) ?? resource,
      settle: ({ name }, ...call) => kept.get(name)?.settle(...call) ?? call[0],
    })
    const { stuck } = time
    if (isFailure(report)) {
      if (stuck === null) throw report.error
      return { outcomes, skipped: stuck, stuck }
    }
    const skipped = report.data.stopped ?? 'the profile of the topic does not have this check'
    return { outcomes, skipped: stuck ?? skipped, stuck }
  } finally {
    const closed = (async () => await stores.close?.())()
    // A pool waits for its connections, and an endless store call holds one.
    if (time.stuck === null) await closed
    else closed.catch(() => undefined)
  }
}
