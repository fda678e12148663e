import { WEEK } from '../../kernel/durations.ts'
import { createJob, type Job } from '../../kernel/jobs/background.ts'
import type { Store } from '../../kernel/store/store.ts'
import type { ConnectionState } from '../changes/feed.ts'
import { countWebhooks, type WebhookCount } from '../webhooks/store.ts'
import { countConnections, countExpiring, readSize } from './counts.ts'
import type { Reading } from './readings.ts'

/** The facts about the whole database that metrics show. Each is absent until it is known. */
export interface Survey {
  readonly webhooks?: readonly WebhookCount[]
  readonly connections?: ReadonlyMap<ConnectionState, number>
  /** How many tokens expire within a week. */
  readonly expiring?: number
  /** The database's size in bytes. */
  readonly size?: number
}

/** Options for `createSurvey`. */
export interface SurveyOptions {
  readonly store: Store
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number
  /** Receives the facts that were read. */
  readonly observe: (survey: Survey) => void
  /** How often (ms) they are read; defaults to once a minute. */
  readonly interval?: number
}

/**
 * Creates the job that reads the facts about the database. Every process runs it, so the metrics don't depend on one
 * process. If a fact cannot be read, the failure is reported, and the metrics keep its last value.
 */
export function createSurvey({ store, now, observe, interval = 60_000 }: SurveyOptions): Job {
  return createJob({ name: 'readings', interval, jobs: store.jobs }, async (_, fail) => {
    const time = now()
    const before = time + WEEK
    const readings: readonly (() => Promise<Survey>)[] = [
      async () => ({ webhooks: await store.scan((db) => countWebhooks(db, time)) }),
      async () => ({ connections: await store.scan(countConnections) }),
      async () => ({
        expiring: await store.scan((db) => countExpiring(db, { now: time, before })),
      }),
      async () => ({ size: await store.scan((db) => readSize(db, store.dialect)) }),
    ]
    for (const read of readings) await read().then(observe).catch(fail)
  })
}

/** The metrics of a survey, and the function that keeps the newest facts. */
export interface SurveyMetrics {
  readonly readings: readonly Reading[]
  observeSurvey(survey: Survey): void
}

/** Creates the metrics of a survey. */
export function createSurveyMetrics(now: () => number): SurveyMetrics {
  let known: Survey = {}
  const gauge = { isCounter: false, labels: ['state'] }
  const webhooks = () =>
    known.webhooks === undefined
      ? []
      : WEBHOOK_STATES.map((state) => foundIn(known.webhooks ?? [], state))
  return {
    observeSurvey: (survey) => {
      known = { ...known, ...survey }
    },
    readings: [
      {
        ...gauge,
        name: 'directory_connections',
        help: 'Tenants by the state of their connection. Changes wait in all states but active.',
        read: () =>
          [...(known.connections ?? [])].map(([state, value]) => ({ labels: { state }, value })),
      },
      {
        ...gauge,
        name: 'directory_webhooks',
        help: 'Webhooks of all tenants. An administrator has switched off those in the state off.',
        read: () => webhooks().map(({ state, count }) => ({ labels: { state }, value: count })),
      },
      {
        ...gauge,
        name: 'directory_webhook_oldest_change_seconds',
        help: 'The age of the oldest change that waits for a webhook.',
        read: () =>
          webhooks()
            .filter(({ state }) => state === 'active' || state === 'failing')
            .map(({ state, oldest }) => ({ labels: { state }, value: ageOf(oldest, now()) })),
      },
      valueReading(
        'directory_tokens_expiring',
        'Tokens that expire within a week, and that no other token has replaced.',
        () => known.expiring,
      ),
      valueReading(
        'directory_database_bytes',
        'The size of the database; with Citus, that of the coordinator.',
        () => known.size,
      ),
    ],
  }
}

function valueReading(name: string, help: string, read: () => number | undefined): Reading {
  const values = () => {
    const value = read()
    return value === undefined ? [] : [{ labels: {}, value }]
  }
  return { name, help, isCounter: false, labels: [], read: values }
}

function ageOf(oldest: number | null, now: number): number {
  return oldest === null ? 0 : Math.max(0, now - oldest) / 1_000
}

function foundIn(counts: readonly WebhookCount[], state: WebhookCount['state']): WebhookCount {
  return counts.find((one) => one.state === state) ?? { state, count: 0, oldest: null }
}

const WEBHOOK_STATES = ['active', 'failing', 'disabled', 'off'] as const
