/**
 * Runs the named benchmark groups, by default all: `npm run bench -- scim-filter`. Each runs in a separate process and
 * replaces its section in `bench/results.md`; a run of all groups writes the whole file. It fails if a group throws,
 * does not end, or misses a budget that is not noted as missed.
 *
 * A quick group runs up to three times: the tables are those of the last run, and its budgets have the range of all.
 * `--cpu` measures processor time, and does not change the file. `--short` only shows that each group works.
 */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { describeMachine, judge, printBudgets, writeAll, writeGroup } from './results.ts'
import { GROUPS, type Ran, runGroup } from './run.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cpu: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
  },
})

/** A group runs again if its runs have taken less time than this, in seconds. */
const QUICK = 30
const MAX_RUNS = 3

const chosen = GROUPS.filter(
  (group) => positionals.length === 0 || positionals.some((name) => group.startsWith(name)),
)
if (chosen.length === 0) {
  console.error(`unknown group: ${positionals.join(', ')}; the groups are ${GROUPS.join(', ')}`)
  process.exitCode = 1
} else await (values.short ? runShort() : measure())

async function measure(): Promise<void> {
  const machine = describeMachine()
  const sections = new Map<string, Ran[]>()
  for (const group of chosen) {
    const runs: Ran[] = []
    for (let seconds = 0; runs.length < MAX_RUNS && seconds < QUICK; ) {
      console.log(`\n## ${group}`)
      const ran = await runGroup(group, { isCpu: values.cpu, isShort: false })
      runs.push(ran)
      seconds += ran.seconds
      if (ran.fault === null) continue
      console.error(`\n${group} failed: ${ran.fault}`)
      process.exitCode = 1
      break
    }
    sections.set(group, runs)
  }
  const isWhole = [...sections.values()].flat().every(({ fault }) => fault === null)
  const judged = judge(sections)
  printBudgets(judged)
  if (judged.some(({ verdict, noted }) => verdict === 'missed' && noted === undefined)) {
    process.exitCode = 1
  }
  if (values.cpu || !isWhole) return
  if (positionals.length === 0) writeAll(machine, sections, judged)
  else for (const [group, ran] of sections) writeGroup(group, machine, ran)
}

/** Runs each group with next to no work, one on each processor. */
async function runShort(): Promise<void> {
  const waiting = [...chosen]
  await Promise.all(
    Array.from({ length: availableParallelism() }, async () => {
      for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
        const { fault, printed, tables, budgets, seconds } = await runGroup(group, {
          isCpu: false,
          isShort: true,
        })
        if (fault === null) {
          const counts = `${tables} tables, ${budgets.length} budgets`
          console.log(`${group}: works, ${counts}, ${seconds.toFixed(0)} s`)
        } else {
          console.error(`${printed}\n${group} failed after ${seconds.toFixed(0)} s: ${fault}`)
          process.exitCode = 1
        }
      }
    }),
  )
}
