import { type Fragment, raw, sql } from '@plumbline/scim/internal'
import { DAY, HOUR } from '../durations.ts'

/** A period, such as the last 24 hours, divided into buckets. */
export interface Buckets {
  /** When the first bucket starts, in milliseconds since 1970. */
  readonly start: number
  /** How long (ms) each is. */
  readonly step: number
  readonly count: number
}

/** The periods that can be shown. */
export const PERIODS = ['day', 'week', 'month'] as const

/** 24 hours, 7 days or 30 days. */
export type Period = (typeof PERIODS)[number]

/** Divides a period into hours or days (UTC). The last one is the current one. */
export function bucketsOf(period: Period, now: number): Buckets {
  const { step, count } = SIZES[period]
  return { start: (Math.floor(now / step) - count + 1) * step, step, count }
}

/** Returns the bucket index for a row's column `time`; -1 before the first one. */
export function bucketOf({ start, step }: Pick<Buckets, 'start' | 'step'>): Fragment {
  return sql`case when time < ${start} then -1
    else cast((time - ${start}) / ${raw(String(step))} as bigint) end`
}

const SIZES: Readonly<Record<Period, Pick<Buckets, 'step' | 'count'>>> = {
  day: { step: HOUR, count: 24 },
  week: { step: DAY, count: 7 },
  month: { step: DAY, count: 30 },
}
