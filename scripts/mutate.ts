/**
 * Mutation tests: Stryker changes the code of an area in one place at a time, and the changes that no
 * test detects are listed. Usage:
 * `npm run mutate -- <area> [--only <path>]... [--mutants <n>] [--seed <n>] [--quick]`
 * `--quick` excludes the slow tests, and so also lists the mutants that only they detect.
 *
 * Stryker rewrites sources in place, so it runs in a copy of the repository below `.mutation`. The copy
 * finds third-party packages in the repository's own `node_modules`, and the workspaces in itself.
 */
import { existsSync, globSync, rmSync } from 'node:fs'
import { dirname, join, matchesGlob } from 'node:path'
import { parseArgs } from 'node:util'
import { AREAS, type Area } from './mutation/areas.ts'
import { makeCopy } from './mutation/copy.ts'
import { EQUIVALENT } from './mutation/equivalent.ts'
import { listMutants } from './mutation/list-mutants.ts'
import { type Equivalent, keyOf, type Mutant } from './mutation/mutant.ts'
import { sample } from './mutation/sample.ts'
import { installStryker, runStryker, type Stage } from './mutation/stryker.ts'
import { root } from './run.ts'

const home = join(root, '.mutation')
const strykerHome = join(home, 'stryker')
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', multiple: true, default: [''] },
    mutants: { type: 'string' },
    quick: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const [name = ''] = positionals
const area = Object.hasOwn(AREAS, name) ? AREAS[name] : undefined
if (area === undefined) {
  console.log('usage: npm run mutate -- <area> [--only path]... [--mutants n] [--seed n] [--quick]')
  console.log(`areas: ${Object.keys(AREAS).join(', ')}`)
  process.exit(2)
}
if (area.server !== undefined && !process.env[area.server]) {
  console.log(`${area.server} must name a server; see .ci/servers`)
  process.exit(2)
}
process.exitCode = (await mutate(name, area)) ? 0 : 1

async function mutate(name: string, area: Area): Promise<boolean> {
  await installStryker(strykerHome)
  const copy = await makeCopy(join(home, 'copies'))
  try {
    const files = globSync([...area.sources], { cwd: copy }).filter(isMutated)
    const all = await listMutants(strykerHome, copy, files)
    checkEquivalents(copy, all)
    const mutants = select(all)
    const statuses = await runStages(copy, mutants, stagesOf(copy, area, mutants))
    return printScore(name, mutants, statuses)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/** Returns whether a source file is mutated: each `--only` is a part of a path, such as a folder. */
function isMutated(file: string): boolean {
  const isCode = !/\.(test|cases|test-d)\.ts$|\/testing\//.test(file)
  return isCode && options.only.some((part) => file.includes(part))
}

/** Prints the equivalents that match no mutant any more, or more than one. */
function checkEquivalents(copy: string, all: readonly Mutant[]): void {
  const listed = new Set(all.map(({ file }) => file))
  for (const entry of EQUIVALENT) {
    if (existsSync(join(copy, entry.file)) && !listed.has(entry.file)) continue
    const found = all.filter((mutant) => matches(entry, mutant)).length
    if (found !== (entry.count ?? 1)) {
      console.log(`equivalents: ${found} mutants match ${entry.file} ${entry.line}`)
    }
  }
}

/** Removes the mutants that are known to be equivalent, and picks the requested number of the others. */
function select(all: readonly Mutant[]): readonly Mutant[] {
  const mutants = all.filter((mutant) => !EQUIVALENT.some((entry) => matches(entry, mutant)))
  const count = options.mutants === undefined ? mutants.length : Number(options.mutants)
  console.log(
    `seed ${options.seed}: ${Math.min(count, mutants.length)} of ${mutants.length} mutants`,
  )
  return sample(mutants, count, Number(options.seed))
}

function matches(
  entry: Equivalent,
  { file, line, column, original, replacement }: Mutant,
): boolean {
  return (
    entry.file === file &&
    entry.line === line &&
    (entry.column ?? column) === column &&
    (entry.original ?? original) === original &&
    entry.replacement === replacement
  )
}

/**
 * The tests in the folders of the mutated files run first. Mutants that they do not detect run against all
 * tests of the area, and then against the slow ones. Until here, only the tests that reach a mutant run. To
 * be sure, the rest runs once more against every test that is not slow.
 */
function stagesOf(copy: string, area: Area, mutants: readonly Mutant[]): Stage[] {
  const { tests, slow, near: others = {} } = area
  const folders = new Set(mutants.map(({ file }) => dirname(file)))
  const further = Object.entries(others).flatMap(([folder, folders]) =>
    mutants.some(({ file }) => file.startsWith(folder)) ? folders : [],
  )
  const isNear = (file: string) =>
    folders.has(dirname(file)) || further.some((folder) => file.startsWith(folder))
  const all = globSync([...tests], { cwd: copy }).filter((file) => !/node_modules/.test(file))
  const isSlow = (file: string) => slow.some((pattern) => matchesGlob(file, pattern))
  const quick = all.filter((file) => !isSlow(file))
  const near = quick.filter(isNear)
  return [
    { name: 'near', tests: near, selected: 'reaching' },
    { name: 'all', tests: quick, selected: 'reaching' },
    { name: 'slow', tests: options.quick ? [] : all.filter(isSlow), selected: 'reaching' },
    { name: 'every', tests: quick, selected: 'every' },
  ]
}

/** Runs each stage on the mutants that the previous stages did not detect; returns the last statuses. */
async function runStages(
  copy: string,
  mutants: readonly Mutant[],
  stages: readonly Stage[],
): Promise<ReadonlyMap<string, string>> {
  const statuses = new Map<string, string>()
  for (const stage of stages) {
    const left = mutants.filter((mutant) => survived(statuses.get(keyOf(mutant))))
    if (left.length === 0 || stage.tests.length === 0) continue
    const started = Date.now()
    const found = await runStryker(strykerHome, copy, left, stage)
    for (const mutant of left) statuses.set(keyOf(mutant), found.get(keyOf(mutant)) ?? 'Missing')
    const rest = left.filter((mutant) => survived(statuses.get(keyOf(mutant))))
    const seconds = Math.round((Date.now() - started) / 1000)
    console.log(`${stage.name}: ${rest.length} of ${left.length} mutants left after ${seconds} s`)
  }
  return statuses
}

/** Returns whether no test has detected a mutant yet. */
function survived(status: string | undefined): boolean {
  return status === undefined || status === 'Survived' || status === 'NoCoverage'
}

/**
 * Prints the mutants that no test detected or that only exceeded a time limit, and the score. Returns whether all
 * were detected.
 */
function printScore(
  name: string,
  mutants: readonly Mutant[],
  statuses: ReadonlyMap<string, string>,
): boolean {
  const statusOf = (mutant: Mutant) => statuses.get(keyOf(mutant)) ?? 'NotRun'
  const caught = mutants.filter((mutant) => /^(Killed|Timeout)$/.test(statusOf(mutant)))
  const rest = mutants.filter((mutant) => !caught.includes(mutant))
  const late = caught.filter((mutant) => statusOf(mutant) === 'Timeout')
  for (const mutant of [...late, ...rest]) {
    const { file, range, line, original, mutator, replacement } = mutant
    console.log(`${statusOf(mutant)} ${file}:${range.split('-')[0]} ${mutator}`)
    console.log(`  in ${line}\n  -  ${original}\n  +  ${replacement}`)
  }
  const counted = caught.length + rest.filter((mutant) => survived(statusOf(mutant))).length
  const share = counted === 0 ? 100 : (100 * caught.length) / counted
  console.log(
    `${name}: ${caught.length} of ${counted} mutants detected (${late.length} by a time limit), ${share.toFixed(1)} %`,
  )
  return caught.length === counted
}
