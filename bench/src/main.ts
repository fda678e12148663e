/**
 * Runs the named groups of benchmarks, by default all: `npm run bench -- scim-filter`. With `--check`, it fails
 * if a budget is missed by more than the noise of the run. With `--cpu`, it measures CPU time.
 */
import { readdirSync } from 'node:fs'

const groups = readdirSync(new URL('groups/', import.meta.url))
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.slice(0, -3))
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const chosen = groups.filter(
  (group) => wanted.length === 0 || wanted.some((name) => group.startsWith(name)),
)
if (chosen.length === 0) {
  console.error(`unknown group: ${wanted.join(', ')}; the groups are ${groups.join(', ')}`)
  process.exitCode = 1
}

for (const group of chosen) {
  console.log(`\n## ${group}`)
  const { run } = (await import(`./groups/${group}.ts`)) as { run: () => Promise<void> }
  await run()
}
