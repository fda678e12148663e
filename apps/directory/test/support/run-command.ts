import { format } from 'node:util'
import { vi } from 'vitest'
import { StopError } from '../../src/commands/exit.ts'
import { run } from '../../src/commands/run.ts'
import type { Environment } from '../../src/commands/secret-files.ts'

/** The output of a command, and the exit code of its process. */
export interface Ended {
  readonly code: number
  readonly output: string
  readonly errors: string
}

/**
 * Runs a command as `npm start --` does, but without a process of its own, whose start would cost most of a test's time.
 * Only `main.ts` is not run, which prints the message of a `StopError` and exits with its code.
 */
export async function runCommand(environment: Environment, ...options: string[]): Promise<Ended> {
  const [printed, failed]: [string[], string[]] = [[], []]
  const spies = [
    vi.spyOn(console, 'log').mockImplementation((...text) => void printed.push(line(text))),
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => failed.push(String(text)) > 0),
  ]
  const { exitCode } = process
  process.exitCode = 0
  try {
    await run(options, environment)
  } catch (error) {
    if (!(error instanceof StopError)) throw error
    failed.push(line([error.message]))
    process.exitCode = error.code
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
  const code = Number(process.exitCode)
  process.exitCode = exitCode
  return { code, output: printed.join(''), errors: failed.join('') }
}

function line(text: readonly unknown[]): string {
  return `${format(...text)}\n`
}
