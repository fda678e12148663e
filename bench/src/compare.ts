import { inspect, isDeepStrictEqual } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { printBudget, ratiosOf } from './budget.ts'
import { amount } from './short.ts'

/** An implementation to compare in a table. */
export interface Contender {
  readonly name: string
  /** Creates one run's input, untimed; for work a second run on the same input would skip. */
  readonly prepare?: () => unknown
  /** Runs the work once. Its result is kept, so the work isn't optimised away. */
  readonly run: (prepared: never) => unknown
  /** Converts the result to a form all contenders share; the result itself by default. */
  readonly answer?: (result: never) => unknown
  /** How the result is known to differ from the first contender's, for the table. */
  readonly differs?: string
}

/** The target for a table's first contender. */
export interface Budget {
  /** The contender to compare with. */
  readonly against: string
  /** The highest ratio between the first contender's time and that of `against`. */
  readonly atMost: number
  /** Why the budget is known to be missed. */
  readonly noted?: string
}

export interface CompareOptions {
  readonly budgets?: readonly Budget[]
  /** The number of turns per contender; 15 by default. */
  readonly rounds?: number
  /** A turn's minimum length in milliseconds; 20 by default. */
  readonly milliseconds?: number
  /** Prints runs per second in place of times, with the reciprocal ratio. */
  readonly asRates?: boolean
}

let kept: unknown

/**
 * Whether to measure CPU time (`--cpu`), not elapsed time, both in milliseconds. Other load on the machine changes CPU
 * time less. It omits the time spent in other processes, such as a database, and on the disk.
 */
const isCpu = process.argv.includes('--cpu')
/** A run's clock, in milliseconds. */
export const clock: () => number = isCpu ? cpuTime : () => performance.now()

function cpuTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

setFlagsFromString('--expose-gc')
/** Collects garbage: from new objects only, or all. */
export const collectGarbage: (options: { readonly type: 'minor' | 'major' }) => void =
  runInNewContext('gc')

/**
 * Times the contenders in turns, so other load on the machine affects all of them, and prints a table: each median, its
 * ratio to the first, and whether the budgets are met; see `printBudget`. Returns the first contender's times.
 *
 * Throws before measuring anything if the contenders' results differ.
 */
export async function compare(
  title: string,
  contenders: readonly Contender[],
  {
    budgets = [],
    rounds: full = 15,
    milliseconds: each = 20,
    asRates = false,
  }: CompareOptions = {},
): Promise<readonly number[]> {
  await checkAnswers(title, contenders)
  const [rounds, milliseconds] = [amount(full, 1), amount(each, 0)]
  const turns = []
  for (const contender of contenders) {
    turns.push({ contender, times: [await calibrate(contender, milliseconds)] })
  }
  // A clock may not have moved.
  const counts = turns.map(({ times: [estimate = 1] }) =>
    Math.max(1, Math.round(milliseconds / Math.max(estimate, 1e-6))),
  )
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < turns.length; turn += 1) {
      // Each round starts with another contender.
      const at = (round + turn) % turns.length
      const { contender, times } = turns[at] as (typeof turns)[number]
      times.push(await time(contender, counts[at] ?? 1))
    }
  }
  const medians = turns.map(({ times }) => median(times.slice(1)))
  const [ours = 1] = medians
  console.log(`\n${title}\n`)
  console.log(
    `| | ${asRates ? 'per second' : isCpu ? 'CPU time' : 'time'} | ratio |\n| --- | --- | --- |`,
  )
  for (const [at, { name, differs }] of contenders.entries()) {
    const own = medians[at] ?? 1
    const figure = asRates ? Math.round(1_000 / own).toLocaleString('en') : human(own)
    const ratio = Number((asRates ? ours / own : own / ours).toPrecision(3))
    console.log(`| ${name}${differs === undefined ? '' : ` (${differs})`} | ${figure} | ${ratio} |`)
  }
  const times = turns[0]?.times.slice(1) ?? []
  for (const budget of budgets) {
    const other = turns.find(({ contender }) => contender.name === budget.against)
    if (other === undefined) throw new Error(`${title}: ${budget.against} is not in the table`)
    printBudget({ of: title, ...budget }, ratiosOf(times, other.times.slice(1)))
  }
  return times
}

async function checkAnswers(title: string, contenders: readonly Contender[]): Promise<void> {
  const answers = []
  for (const { prepare, run, answer = (result: unknown) => result } of contenders) {
    answers.push(await answer((await run(prepare?.() as never)) as never))
  }
  for (const [at, { name, differs }] of contenders.entries()) {
    const isSame = isDeepStrictEqual(answers[at], answers[0])
    if (isSame === (differs === undefined)) continue
    if (isSame) throw new Error(`${title}: ${name} does not differ: ${differs}`)
    const difference = differenceOf(answers[at], answers[0])
    throw new Error(`${title}: ${name} returns another result at ${difference}`)
  }
}

/** The first difference. An assertion would look for all, with memory quadratic in the results. */
function differenceOf(one: unknown, other: unknown): string {
  if (typeof one === 'object' && typeof other === 'object' && one !== null && other !== null) {
    const [own, others] = [new Map(Object.entries(one)), new Map(Object.entries(other))]
    const different = [...own.keys(), ...others.keys()].find(
      (name) => !isDeepStrictEqual(own.get(name), others.get(name)),
    )
    if (different !== undefined) {
      return `/${different}${differenceOf(own.get(different), others.get(different))}`
    }
  }
  return `: ${inspect(one)}, not ${inspect(other)}`
}

/** Warms a contender up for five turns, and estimates the milliseconds one run takes. */
async function calibrate(contender: Contender, milliseconds: number): Promise<number> {
  let count = 1
  for (let spent = 0; ; ) {
    const each = await time(contender, count)
    spent += each * count
    if (spent >= 5 * milliseconds && each * count >= milliseconds / 2) return each
    if (each * count < milliseconds) count *= 2
  }
}

async function time({ prepare, run }: Contender, count: number): Promise<number> {
  const prepared = prepare ? Array.from({ length: count }, prepare) : []
  // A contender must not pay for another's garbage. A full collection would also drop compiled code.
  collectGarbage({ type: 'minor' })
  const started = clock()
  for (let done = 0; done < count; done += 1) {
    const result = run(prepared[done] as never)
    kept = result instanceof Promise ? await result : result
  }
  return (clock() - started) / count
}

function median(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? Number.NaN
}

function human(milliseconds: number): string {
  const [unit, size] = units.find(([, least]) => milliseconds >= least) ?? ['ns', 1e-6]
  return `${(milliseconds / size).toPrecision(3)} ${unit}`
}

const units: readonly (readonly [unit: string, milliseconds: number])[] = [
  ['s', 1e3],
  ['ms', 1],
  ['µs', 1e-3],
  ['ns', 1e-6],
]

/** Returns the last result, so it stays reachable. */
export function lastResult(): unknown {
  return kept
}
