import { isFailure } from '@plumbline/result'
import { DEFAULT_LIMITS } from '../lib/http/limits.ts'
import { replay } from '../lib/replay/replay.ts'
import {
  type CommandProcess,
  confirmIn,
  interruptible,
  reportError,
  reportLeft,
} from './command-process.ts'
import { readCredentials } from './credentials.ts'
import { readRun } from './files.ts'
import type { CommandArguments } from './parse-arguments.ts'
import { colorsFor } from './terminal.ts'
import { writeReplay } from './text.ts'
import { createTlsFetch } from './tls-fetch.ts'

/**
 * Runs `plumbline-doctor replay`: replays a run from a file against a server, and prints the answers that differ.
 * Returns the exit code: 0 if every answer is the expected one, 1 if one is not, 2 without an answer.
 */
export async function replayFile(
  file: string,
  url: string,
  given: CommandArguments,
  process: CommandProcess,
): Promise<0 | 1 | 2> {
  const { certificate } = given.credentials
  const run = await readRun(file, process.cwd())
  const target = certificate === null ? url : await createTlsFetch(certificate, process.cwd())
  const credentials = await readCredentials(given, process.env)
  const work = { clear: () => undefined, what: 'the run', left: 'resources of the run' }
  const result = await interruptible(process, work, (signal) =>
    replay(target, run, {
      ...credentials,
      base: url,
      limits: { rate: DEFAULT_LIMITS.rate, ...given.limits },
      signal,
      confirm: confirmIn(process, given, 'of the run'),
    }),
  )
  if (isFailure(result)) {
    reportError(process, result.error)
    return 2
  }
  process.stdout.write(writeReplay(result.data, colorsFor(process.stdout, process.env)))
  reportLeft(process, result.data.left)
  return result.data.steps.every(({ status }) => status === 'same') ? 0 : 1
}
