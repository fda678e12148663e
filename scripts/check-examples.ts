/**
 * Runs every program for users (`programs/programs.ts`). `expression //=> literal` states the value of a one-line
 * statement, and the lines below it that start with `//   ` continue the literal. A program that serves SCIM with a
 * profile is examined as a client of this profile: its endpoint has the name `scim`, and its token the name `token`.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readPrograms } from './programs/programs.ts'
import { root, run } from './run.ts'

const folder = join(root, '.examples')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)

const examples = readPrograms()
const names = examples.map(({ file, line, code }) => {
  const place = `${file}:${line || 1}`
  const name = `${place.replace(/[^a-zA-Z0-9]+/g, '-')}.ts`
  writeFileSync(join(folder, name), `${stateResults(place, code)}${examination(place, code)}`)
  return name
})
writeFileSync(
  join(folder, 'all.ts'),
  `import { runAll } from '../scripts/example.ts'\n\nawait runAll(${JSON.stringify(names)})\n`,
)
writeFileSync(
  join(folder, 'tsconfig.json'),
  JSON.stringify({
    extends: '../tsconfig.json',
    compilerOptions: { noUnusedLocals: false },
    include: ['*.ts'],
  }),
)

const types = await run('tsc', ['-p', '.examples'])
const ran = await run('node', ['--conditions=@plumbline/source', '.examples/all.ts'])
console.log(`${types.output}${ran.output}${examples.length} examples`)
process.exitCode = types.code === 0 && ran.code === 0 && examples.length > 0 ? 0 : 1

/** Returns the statement that examines the endpoint of a program that serves SCIM with a profile. */
function examination(place: string, code: string): string {
  const profile = /createScimEndpoint[\s\S]*?\n {2}profile: ('\w+'),\n/.exec(code)?.[1]
  if (profile === undefined) return ''
  return `
import { examineProgram } from '../scripts/programs/examine.ts'

await examineProgram(${JSON.stringify(place)}, scim, { token, profile: ${profile} })
`
}

/** Replaces every `//=>` by a call that compares the value with the literal. */
function stateResults(place: string, code: string): string {
  const lines = code.split('\n')
  const stated: string[] = [`import { state } from '../scripts/example.ts'`]
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const match = /^(\s*)(.*?);?\s*\/\/=> ?(.*)$/.exec(line)
    if (!match) {
      stated.push(line)
      continue
    }
    const [, indent = '', statement = '', start = ''] = match
    let literal = start
    for (; /^\s*\/\/ {3}/.test(lines[at + 1] ?? ''); at += 1) {
      literal += `\n${(lines[at + 1] ?? '').replace(/^\s*\/\//, '')}`
    }
    const constant = /^(?:const|let) (\w+)\b/.exec(statement)
    if (constant) stated.push(`${indent}${statement}`)
    const value = constant ? constant[1] : statement
    stated.push(`${indent}state(${JSON.stringify(place)}, (${value}), (${literal}))`)
  }
  return stated.join('\n')
}
