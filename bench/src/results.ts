import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { type Measured, textOf, type Verdict, verdictOf } from './budget.ts'
import type { Ran } from './run.ts'

const FILE = new URL('../results.md', import.meta.url)

/** Describes a run starting now: its date, the machine, and how busy it is. */
export function describeMachine(): string {
  const day = new Date().toISOString().slice(0, 10)
  const memory = `${(totalmem() / 2 ** 30).toFixed(0)} GiB`
  const processor = `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`
  const load = loadavg()[0]?.toFixed(1)
  return `${day}, Node ${process.version}, ${processor}, ${memory}, load average before the run ${load}`
}

/** A budget with the medians of all runs. */
export interface Judged extends Pick<Measured, 'noted'> {
  readonly group: string
  readonly of: string
  readonly limit: string
  readonly measured: string
  readonly runs: number
  readonly verdict: Verdict
}

/** Compares each budget with all runs. With one run, the rounds decide; with several, the median of each. */
export function judge(sections: ReadonlyMap<string, readonly Ran[]>): Judged[] {
  return [...sections].flatMap(([group, runs]) => {
    const all = new Map<string, Measured[]>()
    for (const budget of runs.flatMap(({ budgets }) => budgets)) {
      const key = `${budget.of}\n${textOf(budget)}`
      all.set(key, [...(all.get(key) ?? []), budget])
    }
    return [...all.values()].flatMap((same) => {
      const [first] = same
      return first === undefined ? [] : [judgeOne(group, first, same)]
    })
  })
}

function judgeOne(group: string, first: Measured, same: readonly Measured[]): Judged {
  const { of, noted, atMost, atLeast, verdict, low, high } = first
  const middles = same.map(({ middle }) => middle).toSorted((a, b) => a - b)
  // Of two runs, their mean.
  const [lower = Number.NaN, upper = lower] = middles.slice((middles.length - 1) >> 1)
  const middle = middles.length % 2 === 1 ? lower : (lower + upper) / 2
  const [from = low, to = high] = same.length === 1 ? [low, high] : [middles[0], middles.at(-1)]
  const range = `${middle.toFixed(2)}× (${from.toFixed(2)}× to ${to.toFixed(2)}×)`
  return {
    group,
    of,
    limit: textOf(first),
    runs: same.length,
    measured: atMost === undefined && atLeast === undefined ? '' : range,
    verdict: same.length === 1 ? verdict : verdictOf(first, middles, middle),
    ...(noted === undefined ? {} : { noted }),
  }
}

/** Prints the budgets that are missed, at the end of a run. */
export function printBudgets(judged: readonly Judged[]): void {
  if (judged.length === 0) return
  const missed = judged.filter(({ verdict }) => verdict !== 'kept')
  console.log(`\n## Budgets\n\n${judged.length - missed.length} of ${judged.length} are kept.`)
  for (const { group, of, limit, measured, verdict, noted } of missed) {
    const note = noted === undefined ? '' : `, as noted: ${noted}`
    console.log(`- ${group}, ${of}: ${limit}, measured ${measured}, ${verdict}${note}`)
  }
}

/** Writes the results of all groups. */
export function writeAll(
  machine: string,
  sections: ReadonlyMap<string, readonly Ran[]>,
  judged: readonly Judged[],
): void {
  const rows = judged.map(
    ({ group, of, limit, measured, verdict, noted, runs }) =>
      `| ${group} | ${of} | ${limit} | ${measured} | ${runs} | ${verdict}${noted === undefined ? '' : `: ${noted}`} |`,
  )
  const text = [
    '# Results of the benchmarks',
    '`npm run bench` writes this file. [README.md](README.md) says what is measured.',
    `${machine}. A budget has the range of several runs, or the middle half of the rounds of one. The tables are those of the last run.`,
    '## Budgets',
    [
      '| group | table | budget | measured | runs | verdict |',
      '| --- | --- | --- | --- | --- | --- |',
      ...rows,
    ].join('\n'),
    ...[...sections].map(([group, ran]) => `## ${group}\n\n${ran.at(-1)?.printed ?? ''}`),
  ]
  writeFileSync(FILE, `${text.join('\n\n')}\n`)
}

/** Replaces a group's section. The budgets at the top stay those of the last run of all groups. */
export function writeGroup(group: string, machine: string, ran: readonly Ran[]): void {
  const [head = '', ...sections] = readFileSync(FILE, 'utf8').split(/^(?=## )/m)
  const others = sections.filter((section) => !section.startsWith(`## ${group}\n`))
  const own = `## ${group}\n\n${machine}:\n\n${ran.at(-1)?.printed ?? ''}\n\n`
  // The budgets come first.
  writeFileSync(FILE, `${[head, ...[...others, own].toSorted()].join('').trimEnd()}\n`)
}
