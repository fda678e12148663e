/** The checks to run before a commit: format, lint, types, imports, prose, links, examples. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { install } from './install.ts'
import { root, run, tool } from './run.ts'

await install('scripts/tools')

const packages = [
  'result',
  'problem',
  'report',
  'base',
  'listener',
  'openapi',
  'contract',
  'scim',
  'doctor',
]

/** Every step runs, so that one run shows everything that needs fixing. */
const steps: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  [
    'format and lint',
    tool('biome'),
    'ci',
    '--colors=off',
    '--diagnostic-level=warn',
    '--error-on-warnings',
    '.',
  ],
  ...packages.map((name) => typesOf(name, `packages/${name}`)),
  typesOf('openapi on Node', 'packages/openapi/tsconfig.node.json'),
  typesOf('scim on Node', 'packages/scim/tsconfig.node.json'),
  typesOf('contract on Node', 'packages/contract/tsconfig.node.json'),
  typesOf('doctor on Node', 'packages/doctor/tsconfig.node.json'),
  typesOf('app, tests and scripts', '.'),
  typesOf('scripts of the console', 'apps/directory/src/shell/console/assets'),
  // `.ci/run` installs the packages of the benchmarks and of the site first.
  ...(existsSync(join(root, 'bench/node_modules')) ? [typesOf('bench', 'bench')] : []),
  ...(existsSync(join(root, 'docs/node_modules')) ? [typesOf('docs', 'docs')] : []),
  [
    'who may import whom',
    tool('depcruise'),
    '--config',
    '.dependency-cruiser.mjs',
    '--',
    'packages',
    'apps',
  ],
  ['lengths', 'node', 'scripts/check-length.ts'],
  ['prose', 'node', 'scripts/check-prose.ts'],
  ['links', 'node', 'scripts/check-links.ts'],
  ['programs that serve SCIM', 'node', 'scripts/check-programs.ts'],
  ['examples', 'node', 'scripts/check-examples.ts'],
]

/** Checks the types of a project. The next run only checks what has changed. */
function typesOf(name: string, project: string): readonly [string, string, ...string[]] {
  const state = `node_modules/.cache/types/${name.replaceAll(' ', '-')}.tsbuildinfo`
  return [`types: ${name}`, 'tsc', '-p', project, '--incremental', '--tsBuildInfoFile', state]
}

let failed = 0
for (const [name, command, ...args] of steps) {
  const started = performance.now()
  const { code, output } = await run(command, args)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`)
  if (code !== 0) {
    failed += 1
    console.log(output)
  }
}
process.exitCode = failed === 0 ? 0 : 1
