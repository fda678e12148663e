import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Measured } from './budget.ts'

/** The names of all groups. */
export const GROUPS: readonly string[] = readdirSync(new URL('groups/', import.meta.url))
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.slice(0, -3))

/** The result of a group. */
export interface Ran {
  readonly printed: string
  readonly budgets: readonly Measured[]
  readonly tables: number
  readonly seconds: number
  /** Why the run does not count: the group threw, did not end, or printed a table without figures. */
  readonly fault: string | null
}

/** How long a group may take, in milliseconds. */
const SHORT_MS = 90_000
const FULL_MS = 30 * 60_000

/** Runs a group in a separate process, which is ended with all that it started. A short run prints nothing. */
export async function runGroup(
  group: string,
  { isCpu, isShort }: { readonly isCpu: boolean; readonly isShort: boolean },
): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-bench-'))
  const file = join(folder, 'budgets')
  writeFileSync(file, '')
  const script = fileURLToPath(new URL('run-group.ts', import.meta.url))
  const child = spawn(
    process.execPath,
    [...process.execArgv, script, group, ...(isCpu ? ['--cpu'] : [])],
    {
      // A separate process group, so that a signal reaches all processes in it.
      detached: true,
      env: {
        ...process.env,
        PLUMBLINE_BENCH_SHORT: isShort ? '1' : '',
        PLUMBLINE_BENCH_BUDGETS: file,
      },
      stdio: ['ignore', 'pipe', isShort ? 'pipe' : 'inherit'],
    },
  )
  const kill = (): void => {
    try {
      process.kill(-(child.pid ?? process.pid), 'SIGKILL')
    } catch {
      // All of them have ended.
    }
  }
  const interrupted = (): void => {
    kill()
    process.exit(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupted)
  const most = isShort ? SHORT_MS : FULL_MS
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    kill()
  }, most)
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      if (!isShort) process.stdout.write(text)
    })
  }
  const started = performance.now()
  try {
    const [code, signal] = await once(child, 'exit')
    kill()
    if (child.stdout?.closed === false) await once(child.stdout, 'close')
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
    const fault = isLate
      ? `it did not end within ${most / 1_000} s`
      : code === 0
        ? faultIn(printed, lines.length)
        : `it ended with ${signal ?? code}`
    return {
      printed: printed.trim(),
      budgets: lines.map((line) => JSON.parse(line) as Measured),
      tables: printed.split('\n').filter((line) => RULE.test(line)).length,
      seconds: (performance.now() - started) / 1_000,
      fault,
    }
  } finally {
    clearTimeout(timer)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupted)
    rmSync(folder, { recursive: true })
  }
}

/** Finds a row without a figure, or the absence of any figure. */
function faultIn(printed: string, budgets: number): string | null {
  const rows = printed.split('\n').filter((line) => line.startsWith('| ') && !RULE.test(line))
  if (rows.length + budgets === 0) return 'it did not measure anything'
  const wrong = rows.find((row) => /\b(?:NaN|undefined|Infinity)\b/.test(row))
  return wrong === undefined ? null : `a row does not have all figures: ${wrong}`
}

const RULE = /^\|(?: --- \|)+$/
