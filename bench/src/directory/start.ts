import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('../../../', import.meta.url)
const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
  readonly scripts: { readonly start: string }
}

/** Node's arguments in `npm start`, without the program. */
export const START_FLAGS: readonly string[] = scripts.start.split(' ').slice(1, -1)

/** The program `npm start` runs, or another version's. */
export const START_PROGRAM: string =
  process.env.PLUMBLINE_BENCH_PROGRAM ?? fileURLToPath(new URL('apps/directory/src/start.js', root))
