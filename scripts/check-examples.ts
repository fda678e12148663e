/**
 * Runs every example: the programs in `examples`, and the `ts` blocks of the READMEs, of `SKILL.md`, of the pages in
 * `docs`, and of the `@example` tags in the packages. Each is a complete program. `expression //=> literal` states the value of a one-line
 * statement, and the lines below it that start with `//   ` continue the literal.
 */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from './run.ts'

interface Example {
  /** The file and line, such as `packages/scim/README.md:12`. */
  readonly place: string
  readonly code: string
}

const folder = join(root, '.examples')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)

const examples = [
  ...globSync(['README.md', '{packages,apps}/*/{README,SKILL}.md', 'docs/pages/**/*.md'], {
    cwd: root,
  }).flatMap(fromReadme),
  ...globSync('packages/*/src/**/*.ts', { cwd: root }).flatMap(fromComments),
  ...globSync('examples/**/*.ts', { cwd: root }).filter(isProgram).map(fromFile),
]
const names = examples.map(({ place, code }) => {
  const name = `${place.replace(/[^a-zA-Z0-9]+/g, '-')}.ts`
  writeFileSync(join(folder, name), stateResults(place, code))
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
const ran = await run('node', ['--conditions=source', '.examples/all.ts'])
console.log(`${types.output}${ran.output}${examples.length} examples`)
process.exitCode = types.code === 0 && ran.code === 0 && examples.length > 0 ? 0 : 1

/** A folder with a package.json is a project, whose tests are run instead. */
function isProgram(file: string): boolean {
  return !existsSync(join(root, file.split('/').slice(0, 2).join('/'), 'package.json'))
}

function fromFile(file: string): Example {
  return { place: `${file}:1`, code: readFileSync(join(root, file), 'utf8') }
}

function fromReadme(file: string): Example[] {
  return blocks(file, readFileSync(join(root, file), 'utf8'))
}

function fromComments(file: string): Example[] {
  const source = readFileSync(join(root, file), 'utf8')
  // All text outside of comments is removed, except line ends, so that line numbers stay correct.
  const comments = source.replace(/(\/\*\*[\s\S]*?\*\/)|[^\n]/g, (_, comment?: string) =>
    comment ? comment.replace(/^[ \t]*(\/\*\*|\*\/|\* ?)/gm, '') : '',
  )
  return blocks(file, comments)
}

function blocks(file: string, text: string): Example[] {
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map((match) => ({
    place: `${file}:${text.slice(0, match.index).split('\n').length}`,
    code: match[1] ?? '',
  }))
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
