/** The checks to run before a commit: format, lint, types, imports, prose, links, examples. */
import { run } from './run.ts'

const packages = ['result', 'problem', 'openapi', 'scim', 'doctor']

/** Every step runs, so that one run shows everything that needs fixing. */
const steps: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ['format and lint', 'biome', 'ci', '--error-on-warnings', '.'],
  ...packages.map((name) => [`types: ${name}`, 'tsc', '-p', `packages/${name}`] as const),
  ['types: openapi on Node', 'tsc', '-p', 'packages/openapi/tsconfig.node.json'],
  ['types: doctor on Node', 'tsc', '-p', 'packages/doctor/tsconfig.node.json'],
  ['types: app, tests and scripts', 'tsc', '-p', '.'],
  ['types: scripts of the console', 'tsc', '-p', 'apps/directory/src/console/assets'],
  ['who may import whom', 'node', 'scripts/check-imports.ts'],
  ['sizes', 'node', 'scripts/check-sizes.ts'],
  ['prose', 'node', 'scripts/check-prose.ts'],
  ['links', 'node', 'scripts/check-links.ts'],
  ['examples', 'node', 'scripts/check-examples.ts'],
]

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
