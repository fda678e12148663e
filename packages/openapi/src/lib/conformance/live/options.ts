import {
  type Forms,
  FUNCTION,
  oneOf,
  required,
  requireOptions,
  STRING,
  STRINGS,
} from '../../options.ts'
import type { LiveChecks } from '../../server/types.ts'
import type { LiveRecorderOptions, LiveSampling } from './live-recorder.ts'

/** Throws a TypeError for an option of `createLiveRecorder` that is not valid. */
export function requireLiveOptions(options: unknown): void {
  requireOptions<LiveRecorderOptions>('createLiveRecorder', options, {
    ...SAMPLING,
    basePath: STRING,
    ignore: STRINGS,
    onReport: required(FUNCTION),
    onViolation: FUNCTION,
  })
}

/** Throws a TypeError for a member of `checkResponses` that is not valid. */
export function requireLiveChecks(checks: unknown): void {
  const found = required(oneOf('report'))
  requireOptions<LiveChecks>('checkResponses', checks, { ...SAMPLING, found })
}

const isFrom = (least: number) => (value: unknown) =>
  Number.isFinite(value) && Number(value) >= least

const SAMPLING: Forms<LiveSampling> = {
  sample: ['a number from 0 to 1', (value) => isFrom(0)(value) && Number(value) <= 1],
  budget: ['a positive number of milliseconds', (value) => isFrom(0)(value) && value !== 0],
  interval: ['milliseconds of at least 0', isFrom(0)],
}
