import type { Confirm } from '../lib/access.ts'
import { addressOfCode } from '../lib/address.ts'
import type { ExaminationError } from '../lib/examination-error.ts'
import type { CommandArguments } from './parse-arguments.ts'
import { ask, type Output } from './terminal.ts'
import { escapeControls } from './text.ts'

/** The parts of a process the command uses. */
export interface CommandProcess {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean | undefined }
  readonly stdout: Output
  readonly stderr: NodeJS.WritableStream & Output
  readonly env: Readonly<Record<string, string | undefined>>
  cwd(): string
  on(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', listener: () => void): unknown
  off(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', listener: () => void): unknown
  exit(code: number): unknown
}

/** Work a signal can interrupt. */
interface InterruptibleWork {
  /** Clears the progress line. */
  readonly clear: () => void
  /** Names the work, such as `the examination`. */
  readonly what: string
  /** Names the resources left behind if a second signal ends the process. */
  readonly left: string
}

/** Runs work. A first signal interrupts it, and it deletes its resources; a second signal ends the process. */
export async function interruptible<Value>(
  process: CommandProcess,
  { clear, what, left }: InterruptibleWork,
  run: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const abort = new AbortController()
  let first = Number.NaN
  const interrupt = (): void => {
    // npx forwards a signal the terminal has also sent to the child: it does not count as a second one.
    if (performance.now() - first < REPEATED) return
    clear()
    if (abort.signal.aborted) {
      complain(process, `${left} may be left`)
      process.exit(2)
    }
    complain(process, `interrupted, deleting the resources of ${what}`)
    first = performance.now()
    abort.abort()
  }
  for (const signal of SIGNALS) process.on(signal, interrupt)
  try {
    return await run(abort.signal)
  } finally {
    clear()
    for (const signal of SIGNALS) process.off(signal, interrupt)
  }
}

/**
 * Asks in a terminal whether resources, such as those with a marker, may be created. Without a terminal, only `--yes`
 * allows the examination to write.
 */
export function confirmIn(
  process: CommandProcess,
  { yes, url }: Pick<CommandArguments, 'yes' | 'url'>,
  what: string,
): Confirm {
  return async ({ type, count }) => {
    if (yes) return true
    if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) return false
    const size = count === null ? 'resources' : `${count} resources`
    const found = `${url} has ${size} of the type ${type}.`
    const question = `\r\u001b[K${escapeControls(found)}\nCreate and delete resources ${what}? [y/N] `
    return ask(question, process)
  }
}

/** Writes why a server could not be examined, and the address with the explanation. */
export function reportError(
  process: CommandProcess,
  { code, message, left }: ExaminationError,
): void {
  const hint = code === 'not-confirmed' ? '; use --yes, or --read-only' : ''
  complain(process, `${message}${hint} (${code}), see ${addressOfCode('doctor', code)}`)
  reportLeft(process, left)
}

/** Writes the URLs of the resources that could not be deleted. */
export function reportLeft(process: CommandProcess, left: readonly string[]): void {
  for (const url of left) complain(process, `could not be deleted: ${url}`)
}

/** Writes one line, whatever the server sent. */
export function complain(process: CommandProcess, message: string): void {
  process.stderr.write(`plumbline-doctor: ${escapeControls(message)}\n`)
}

/** The time (ms) within which a signal is the same as the one before. */
const REPEATED = 1_000
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
