import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { printBudget } from '../budget.ts'
import { amount } from '../short.ts'
import type { Streamed } from '../streams/million.ts'

const EVENTS = amount(1_000_000, 10_000)
const RUNS = amount(3, 1)

const CONTENDERS = [
  ['sent', '@plumbline/openapi: sent by a generator, read as bytes'],
  ['received', '… and read by the client'],
  ['checked', '… and read by the client, which checks each event'],
  ['recorded', '… and checked and counted by the recorder, too'],
  ['by hand', 'a ReadableStream of the same bytes, written by hand'],
] as const

/** Streams a million events in one process, and measures the heap on the way. */
export async function run(): Promise<void> {
  const program = fileURLToPath(new URL('../streams/million.ts', import.meta.url))
  const flags = ['--conditions=@plumbline/source', '--expose-gc', program]
  const runs = new Map<string, Streamed[]>(CONTENDERS.map(([name]) => [name, []]))
  for (let round = 0; round < RUNS; round += 1) {
    for (const [name] of CONTENDERS) {
      const { stdout } = await promisify(execFile)(process.execPath, [...flags, name, `${EVENTS}`])
      runs.get(name)?.push(JSON.parse(stdout) as Streamed)
    }
  }
  console.log(`\nA stream of ${EVENTS.toLocaleString('en')} events in one process\n`)
  console.log('| | each event | heap after 100,000 | after all |\n| --- | --- | --- | --- |')
  for (const [name, title] of CONTENDERS) {
    const streamed = runs.get(name) ?? []
    const each = (1_000 * median(streamed.map(({ milliseconds }) => milliseconds))) / EVENTS
    const [early, late] = (['early', 'late'] as const).map(
      (when) => `${(median(streamed.map((one) => one[when])) / 1e6).toFixed(1)} MB`,
    )
    console.log(`| ${title} | ${each.toFixed(2)} µs | ${early} | ${late} |`)
  }
  for (const [name, title] of CONTENDERS.slice(0, -1)) {
    const ratios = (runs.get(name) ?? []).map(({ early, late }) => late / early)
    const against = 'the heap after 100,000 events'
    printBudget({ of: `A stream of a million events: ${title}`, against, atMost: 1.1 }, ratios)
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}
