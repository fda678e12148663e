/**
 * Mutation tests, as a diagnosis: Stryker changes one place of the code at a time, and prints each change that no test
 * notices. Usage: `npm run mutate -- <file or folder>... [--tests <file or folder>]...`
 *
 * By default, the tests of the package or application that contains the first path run.
 */
import { spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { install } from './install.ts'
import { makeCopy } from './mutation/copy.ts'
import { root } from './run.ts'

const stryker = join(root, 'scripts/mutation/node_modules')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { tests: { type: 'string', multiple: true } },
})
const [first] = positionals
if (first === undefined) {
  console.log('usage: npm run mutate -- <file or folder>... [--tests <file or folder>]...')
  process.exit(2)
}
const { tests = [first.split('/').slice(0, 2).join('/')] } = values

await install('scripts/mutation')
const copy = await makeCopy(join(root, '.mutation'))
try {
  writeFileSync(
    join(copy, 'vitest.mutation.config.ts'),
    vitestConfig(tests.map(allBelow('test.ts'))),
  )
  writeFileSync(join(copy, 'stryker.config.json'), JSON.stringify(strykerConfig(positionals)))
  process.exitCode = await runStryker(copy)
} finally {
  rmSync(copy, { recursive: true, force: true })
}

/** The glob of the files below a folder, or the file itself. */
function allBelow(ending: string): (path: string) => string {
  return (path) => (path.endsWith('.ts') ? path : `${path.replace(/\/$/, '')}/**/*.${ending}`)
}

function vitestConfig(include: readonly string[]): string {
  const conditions = ['@plumbline/source']
  return `export default ${JSON.stringify({
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    // A file evaluates its modules again: a cache that another file has filled would hide a mutant.
    test: {
      include,
      exclude: ['**/node_modules/**', '**/*.servers.test.ts', '**/test/browser/**'],
      isolate: true,
      testTimeout: 120_000,
      hookTimeout: 120_000,
    },
  })}\n`
}

function strykerConfig(paths: readonly string[]): object {
  return {
    mutate: [
      ...paths.map(allBelow('ts')),
      '!**/*.test.ts',
      '!**/*.cases.ts',
      '!**/*.test-d.ts',
      '!**/testing/**',
    ],
    // The words of a message and the members of a table are not behavior that a test must repeat.
    mutator: { excludedMutations: ['StringLiteral', 'ObjectLiteral', 'ArrayDeclaration'] },
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'vitest.mutation.config.ts', related: false },
    inPlace: true,
    concurrency: 1,
    reporters: ['clear-text'],
    clearTextReporter: { logTests: false, reportTests: false },
    // Another program that slows down a run must not make a mutant look like an infinite loop.
    timeoutMS: 60_000,
    dryRunTimeoutMinutes: 30,
  }
}

function runStryker(cwd: string): Promise<number> {
  const program = join(stryker, '@stryker-mutator/core/bin/stryker.js')
  const child = spawn('node', [program, 'run', 'stryker.config.json'], { cwd, stdio: 'inherit' })
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)))
}
