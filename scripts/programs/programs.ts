import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../run.ts'

/** The code of a file, or of a block in a page or a comment. */
export interface Program {
  readonly file: string
  /** The line in the file before the code. */
  readonly line: number
  readonly code: string
  /** The code of all files of the project that the file belongs to. */
  readonly whole: string
}

/**
 * Reads the complete programs for users: the files in `examples`, and the `ts` blocks of the READMEs, of `SKILL.md`, of the
 * pages in `docs`, and of the `@example` tags in the packages.
 */
export function readPrograms(): Program[] {
  return [
    ...find('README.md', '{packages,apps}/*/{README,SKILL}.md', 'docs/pages/**/*.md').flatMap(
      (file) => blocks(file, read(file)),
    ),
    ...find('packages/*/src/**/*.ts').flatMap((file) => blocks(file, commentsOf(read(file)))),
    ...find('examples/**/*.ts')
      .filter((file) => !isInProject(file))
      .map((file) => programOf(file, 0, read(file))),
  ]
}

/** Reads the files of the projects in `examples`, without their tests. */
export function readProjects(): Program[] {
  return find('examples/*/package.json').flatMap((manifest) => {
    const files = find(`${dirname(manifest)}/**/*.ts`).filter((file) => !/\.test\.ts$/.test(file))
    const own = files.filter((file) => !/\/(node_modules|dist)\//.test(file))
    const whole = own.map(read).join('\n')
    return own.map((file) => ({ ...programOf(file, 0, read(file)), whole }))
  })
}

function find(...patterns: readonly string[]): string[] {
  return globSync(patterns, { cwd: root, exclude: ['**/node_modules/**'] }).sort()
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

/** A folder with a package.json is a project, whose tests are run instead. */
function isInProject(file: string): boolean {
  return existsSync(join(root, file.split('/').slice(0, 2).join('/'), 'package.json'))
}

function commentsOf(source: string): string {
  // All text outside of comments is removed, except line ends, so that line numbers stay correct.
  return source.replace(/(\/\*\*[\s\S]*?\*\/)|[^\n]/g, (_, comment?: string) =>
    comment ? comment.replace(/^[ \t]*(\/\*\*|\*\/|\* ?)/gm, '') : '',
  )
}

function blocks(file: string, text: string): Program[] {
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map((match) =>
    programOf(file, text.slice(0, match.index).split('\n').length, match[1] ?? ''),
  )
}

function programOf(file: string, line: number, code: string): Program {
  return { file, line, code, whole: code }
}
