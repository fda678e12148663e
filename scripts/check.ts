/** What a contributor runs before a commit: format, lint, types, who may import whom, examples. */
import { run } from './run.ts'

const packages = ['result', 'problem', 'openapi', 'scim']

/** Every step runs, so that one run shows everything there is to mend. */
const steps: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ['format and lint', 'biome', 'ci', '--error-on-warnings', '.'],
  ...packages.map((name) => [`types: ${name}`, 'tsc', '-p', `packages/${name}`] as const),
  ['types: app, tests and scripts', 'tsc', '-p', '.'],
  ['who may import whom', 'node', 'scripts/check-imports.ts'],
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
