/**
 * Mutation tests: Stryker changes the code of an area in one place at a time, and the changes that no
 * test notices are listed. Usage: `npm run mutate -- <area> [--only <text>] [--lines <n>] [--seed <n>]`.
 *
 * Stryker rewrites sources in place, so it runs in a copy of the repository below `.mutation`. The copy
 * finds third-party packages in the repository's own `node_modules`, and the workspaces in itself.
 */
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { AREAS, type Area } from './mutation/areas.ts'
import { counts, isEquivalent, type Mutant, readReport, survived } from './mutation/report.ts'
import { root, run } from './run.ts'

const home = join(root, '.mutation')
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    lines: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const [name = ''] = positionals
const area = Object.hasOwn(AREAS, name) ? AREAS[name] : undefined
if (area === undefined) {
  console.log('usage: npm run mutate -- <area> [--only text] [--lines n] [--seed n]')
  console.log(`areas: ${Object.keys(AREAS).join(', ')}`)
  process.exit(2)
}
process.exitCode = (await mutate(name, area)) ? 0 : 1

async function mutate(name: string, { sources, tests, slow }: Area): Promise<boolean> {
  await installStryker()
  const copy = join(home, name.replace('/', '-'))
  await makeCopy(copy)
  const files = globSync([...sources], { cwd: copy }).filter(isMutated)
  const ranges = options.lines === undefined ? files : sampleLines(copy, files)
  const quick = await runStryker(copy, ranges, tests, slow)
  const left = quick.filter(survived).filter((mutant) => !isEquivalent(mutant))
  const again = left.map(({ file, range }) => `${file}:${range}`)
  const rest = again.length === 0 ? [] : await runStryker(copy, again, tests, [])
  const noticed = new Set(rest.filter((mutant) => !survived(mutant)).map(keyOf))
  return printScore(quick, (mutant) => survived(mutant) && !noticed.has(keyOf(mutant)))
}

function isMutated(file: string): boolean {
  return !/\.(test|cases|test-d)\.ts$|\/testing\//.test(file) && file.includes(options.only)
}

function keyOf({ file, range, replacement }: Mutant): string {
  return `${file}:${range} ${replacement}`
}

async function installStryker(): Promise<void> {
  mkdirSync(home, { recursive: true })
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
    copyFileSync(join(root, 'scripts/mutation', file), join(home, file))
  }
  if (existsSync(join(home, 'node_modules', '.package-lock.json'))) return
  const { code, output } = await run('npm', ['ci', '--prefix', home])
  if (code !== 0) throw new Error(output)
}

/** Copies what git knows, changed or new files included. */
async function makeCopy(copy: string): Promise<void> {
  rmSync(copy, { recursive: true, force: true })
  const { output } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
  for (const file of output.split('\n').filter((file) => existsSync(join(root, file)) && file)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(root, file), join(copy, file))
  }
  linkWorkspaces(copy)
}

/** Makes the names of the workspaces lead to the copy, and links packages that one workspace has alone. */
function linkWorkspaces(copy: string): void {
  const scope = join('node_modules', '@plumbline')
  mkdirSync(join(copy, scope), { recursive: true })
  for (const entry of readdirSync(join(root, scope))) {
    // The link is relative, so that it leads into the copy.
    symlinkSync(readlinkSync(join(root, scope, entry)), join(copy, scope, entry))
  }
  for (const own of globSync('{packages,apps}/*/node_modules', { cwd: root })) {
    symlinkSync(join(root, own), join(copy, own))
  }
}

/** Picks lines that may hold code, spread over all files; the same seed picks the same lines. */
function sampleLines(copy: string, files: readonly string[]): string[] {
  const all = files.flatMap((file) =>
    readFileSync(join(copy, file), 'utf8')
      .split('\n')
      .flatMap((line, at) =>
        isCode(line) ? [`${file}:${at + 1}:0-${at + 1}:${line.length}`] : [],
      ),
  )
  const random = randomOf(Number(options.seed))
  const wanted = Math.min(Number(options.lines), all.length)
  console.log(`seed ${options.seed}: ${wanted} of ${all.length} lines`)
  for (let at = 0; at < wanted; at += 1) {
    const other = at + Math.floor(random() * (all.length - at))
    const [one = '', two = ''] = [all[at], all[other]]
    all[at] = two
    all[other] = one
  }
  return all.slice(0, wanted)
}

function isCode(line: string): boolean {
  return !/^\s*(\/\/|\/?\*|import\b|export (type|interface)\b|interface\b|type\b|readonly\b|[\])}(]*,?$)/.test(
    line,
  )
}

/** Marsaglia's xorshift with 32 bits: numbers from 0 to 1 that depend on the seed alone. */
function randomOf(seed: number): () => number {
  let state = seed | 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

async function runStryker(
  copy: string,
  mutants: readonly string[],
  tests: readonly string[],
  exclude: readonly string[],
): Promise<readonly Mutant[]> {
  const report = join(copy, 'mutation.json')
  rmSync(report, { force: true })
  writeFileSync(join(copy, 'vitest.mutation.config.ts'), vitestConfig(tests, exclude))
  writeFileSync(join(copy, 'stryker.config.json'), JSON.stringify(strykerConfig(mutants)))
  const stryker = join(home, 'node_modules/@stryker-mutator/core/bin/stryker.js')
  const { output } = await run('node', [stryker, 'run', 'stryker.config.json'], copy)
  if (!existsSync(report)) throw new Error(output)
  return readReport(report)
}

function vitestConfig(include: readonly string[], exclude: readonly string[]): string {
  const test = {
    include,
    exclude: ['**/node_modules/**', '**/*.servers.test.ts', ...exclude],
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  }
  const conditions = ['source']
  return `export default ${JSON.stringify({ resolve: { conditions }, ssr: { resolve: { conditions } }, test })}\n`
}

function strykerConfig(mutate: readonly string[]): object {
  return {
    mutate,
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'vitest.mutation.config.ts', related: false },
    coverageAnalysis: 'perTest',
    inPlace: true,
    ignoreStatic: false,
    reporters: ['json'],
    jsonReporter: { fileName: 'mutation.json' },
    timeoutMS: 5_000,
    allowConsoleColors: false,
  }
}

/** Prints what survived and the score; returns whether nothing survived. */
function printScore(all: readonly Mutant[], isLeft: (mutant: Mutant) => boolean): boolean {
  const counted = all.filter((mutant) => counts(mutant) && !isEquivalent(mutant))
  const left = counted.filter(isLeft)
  for (const { file, range, line, mutator, replacement, status } of left) {
    console.log(
      `${status} ${file}:${range.split('-')[0]} ${mutator}\n  - ${line}\n  + ${replacement}`,
    )
  }
  const share = counted.length === 0 ? 100 : (100 * (counted.length - left.length)) / counted.length
  console.log(
    `${name}: ${counted.length - left.length} of ${counted.length} mutants noticed, ${share.toFixed(1)} %`,
  )
  return left.length === 0
}
