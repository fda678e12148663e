/**
 * Runs the named benchmark groups, by default all: `npm run bench -- scim-filter`. Each runs in a separate process and
 * replaces its section in `bench/results.md`. With `--check`, it fails if a budget is missed by more than the run's
 * noise. With `--cpu`, it measures CPU time. Neither changes the file.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describeMachine, writeResults } from './results.ts'

const groups = readdirSync(new URL('groups/', import.meta.url))
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.slice(0, -3))
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const flags = process.argv.slice(2).filter((argument) => argument.startsWith('--'))
const chosen = groups.filter(
  (group) => wanted.length === 0 || wanted.some((name) => group.startsWith(name)),
)
if (chosen.length === 0) {
  console.error(`unknown group: ${wanted.join(', ')}; the groups are ${groups.join(', ')}`)
  process.exitCode = 1
}

for (const group of chosen) {
  console.log(`\n## ${group}`)
  const machine = describeMachine()
  const script = fileURLToPath(new URL('run-group.ts', import.meta.url))
  const child = spawn(process.execPath, [...process.execArgv, script, group, ...flags], {
    stdio: ['inherit', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    process.stdout.write(text)
    printed += text
  })
  const [code] = await once(child, 'close')
  if (code !== 0) process.exitCode = 1
  else if (flags.length === 0) writeResults(group, `${machine}\n\n${printed.trim()}`)
}
