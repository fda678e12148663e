import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from '../run.ts'

type Outcome = Promise<{ code: number; output: string }>

/** A runtime that the libraries support. */
export interface Runtime {
  readonly name: string
  /** The path of its program. */
  readonly program: (home: string) => string
  /** The arguments that print its version. */
  readonly version: readonly string[]
  readonly readVersion: (output: string) => string
  /** Runs the bundle of the tests. */
  readonly runSuite: (home: string, work: string) => Outcome
  /** Imports every entry by its name; absent if the runtime does not resolve names. */
  readonly runEntries?: (home: string, work: string) => Outcome
}

const SUITE = 'suite.mjs'
const ENTRIES = join('entries', 'entries.mjs')

export const RUNTIMES: readonly Runtime[] = [
  node('Node 20', (home) => join(home, 'node_modules/node-20/bin/node')),
  node('Node 22', (home) => join(home, 'node_modules/node-22/bin/node')),
  node('Node 24', () => join(root, 'node_modules/.bin/node')),
  runtime('Bun', (home) => join(home, 'node_modules/.bin/bun'), []),
  // Without a permission: no files, network, environment or programs.
  runtime('Deno', (home) => join(home, 'node_modules/.bin/deno'), ['run', '--no-prompt']),
  {
    name: 'workerd',
    program: (home) => join(home, 'node_modules/.bin/workerd'),
    version: ['--version'],
    readVersion: (output) => /\d{4}-\d\d-\d\d/.exec(output)?.[0] ?? output,
    runSuite: runWorker,
  },
]

function node(name: string, program: Runtime['program']): Runtime {
  return runtime(name, program, [])
}

function runtime(name: string, program: Runtime['program'], args: readonly string[]): Runtime {
  const runFile = (file: string) => (home: string, work: string) =>
    run(program(home), [...args, join(work, file)], work)
  return {
    name,
    program,
    version: ['--version'],
    readVersion: (output) => /\d+\.\d+\.\d+/.exec(output)?.[0] ?? output,
    runSuite: runFile(SUITE),
    runEntries: runFile(ENTRIES),
  }
}

/** Runs the bundle as the test of a worker, which Cloudflare Workers run on. */
async function runWorker(home: string, work: string): Outcome {
  writeFileSync(join(work, 'worker.mjs'), WORKER)
  writeFileSync(join(work, 'worker.capnp'), WORKER_CONFIG)
  const program = join(home, 'node_modules/.bin/workerd')
  return await run(program, ['test', join(work, 'worker.capnp')], work)
}

/** The behaviour of Workers at this date, without compatibility with Node. */
const WORKER_DATE = '2026-10-01'

const WORKER = `import { runSuite } from './suite.mjs'
export default {
  async test() {
    if (!(await runSuite())) throw new Error('tests failed')
  },
}
`

const WORKER_CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "tests", worker = .tests)]);
const tests :Workerd.Worker = (
  modules = [
    (name = "worker.mjs", esModule = embed "worker.mjs"),
    (name = "suite.mjs", esModule = embed "suite.mjs"),
  ],
  compatibilityDate = "${WORKER_DATE}",
);
`
