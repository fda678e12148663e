import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('../../../', import.meta.url)
const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
  readonly scripts: { readonly start: string }
}

/** The arguments of Node in `npm start`, without the program. */
export const START_FLAGS: readonly string[] = scripts.start.split(' ').slice(1, -1)

/** The program of `npm start`, or that of another version of the directory. */
export const START_PROGRAM: string =
  process.env.PLUMBLINE_BENCH_PROGRAM ?? fileURLToPath(new URL('apps/directory/src/start.js', root))
