import type { Program } from './programs.ts'

/** A rule for programs that serve SCIM, which users copy and deploy. */
export interface Rule {
  readonly reason: string
  /** Returns the position of each fault in the code. */
  readonly find: (program: Program) => readonly number[]
}

export const RULES: Readonly<Record<string, Rule>> = {
  header: {
    reason: 'compares the header itself, so Bearer undefined may be a client: use bearerTokens',
    find: ({ code }) => search(code, /\.get\(\s*['"]authorization['"]\s*\)/i),
  },
  authenticate: {
    reason: 'lets clients in without the hash of a token: use bearerTokens',
    find: endpoints(({ whole }) => !/\bbearerTokens[<(]/.test(whole)),
  },
  'default-token': {
    reason: 'has a token that everyone knows: bearerTokens throws without one',
    find: ({ code }) => search(code, /\btoken:\s*['"`]|_TOKEN\b['"\]]*\s*(?:\?\?|\|\|)/),
  },
  transaction: {
    reason: 'has a database and endpoint without transaction, so a failed write may be stored half',
    find: endpoints(({ whole }, options) => DATABASE.test(whole) && !has(options, 'transaction')),
  },
  onError: {
    reason: 'has an endpoint without onError, so the reason of a 500 is lost',
    find: endpoints((_, options) => !has(options, 'onError')),
  },
  base: {
    reason: 'has a server whose base is not its public URL, so locations are wrong behind a proxy',
    find: endpoints(({ file, whole }, options) => {
      const isServer = SERVER.test(whole) || /\/route\.ts$/.test(file)
      return isServer && (!has(options, 'base') || /\bbase:.*\borigin\b/.test(options))
    }),
  },
  columns: {
    reason: 'stores two attributes in one column, so a client with different values is rejected',
    find: ({ code }) =>
      search(code, /\buserName:/).filter((at) => {
        const columns = columnsOf(enclosing(code, at))
        return new Set(columns).size < columns.length
      }),
  },
  keys: {
    reason: 'has keys that SQLite gives again after a deletion: add autoincrement, or use UUIDs',
    find: ({ code }) => search(code, /\binteger primary key\b(?! autoincrement)/i),
  },
}

/** A program that breaks a rule, because it shows one function only. */
export interface Exemption {
  readonly file: string
  readonly rules: readonly string[]
  readonly reason: string
}

/** At most a handful: users copy everything else. */
export const EXEMPTIONS: readonly Exemption[] = [
  ...['examine', 'summary'].map((name) => ({
    file: `packages/doctor/src/lib/${name}.ts`,
    rules: ['authenticate', 'onError'],
    reason: 'It shows a function of the doctor, whose endpoint only the doctor calls.',
  })),
]

/** Returns the faults of programs, each with its file, line and reason. Programs with neither an
 * endpoint nor a map are not checked. */
export function faultsOf(
  programs: readonly Program[],
  exemptions: readonly Exemption[] = EXEMPTIONS,
): string[] {
  return programs
    .map((program) => ({ ...program, code: withoutComments(program.code) }))
    .filter(({ whole }) => /\b(?:createScimEndpoint|sqlStore)\b/.test(withoutComments(whole)))
    .flatMap((program) =>
      Object.entries(RULES)
        .filter(([name]) => !exemptions.some((one) => exempts(one, program, name)))
        .flatMap(([name, { reason, find }]) =>
          find(program).map((at) => {
            const line = program.line + program.code.slice(0, at).split('\n').length
            return `${program.file}:${line}: ${name}: ${reason}`
          }),
        ),
    )
}

function exempts({ file, rules }: Exemption, program: Program, name: string): boolean {
  return file === program.file && rules.includes(name)
}

/** Finds the endpoints whose program and options break a rule. */
function endpoints(isBroken: (program: Program, options: string) => boolean): Rule['find'] {
  return (program) =>
    search(program.code, ENDPOINT).filter((at) => {
      const open = program.code.indexOf('{', program.code.indexOf('(', at))
      return isBroken(program, enclosing(program.code, open + 1))
    })
}

function search(code: string, pattern: RegExp): number[] {
  return [...code.matchAll(new RegExp(pattern, `g${pattern.flags}`))].map(({ index }) => index)
}

/** Returns the object literal around a position, without the literals in it and its braces. */
function enclosing(code: string, at: number): string {
  let start = at
  for (let depth = 0; start > 0 && depth >= 0; start -= 1) depth += step(code[start - 1], '}', '{')
  let text = ''
  for (let depth = 0, end = start + 1; end < code.length; end += 1) {
    depth += step(code[end], '{', '}')
    if (depth < 0) break
    if (depth === 0) text += code[end]
  }
  return text
}

function step(character: string | undefined, up: string, down: string): number {
  if (character === up) return 1
  return character === down ? -1 : 0
}

function has(options: string, name: string): boolean {
  return new RegExp(`(?:^|,)\\s*${name}\\s*(?:[:,(]|$)`, 'm').test(options)
}

/** Returns the columns of the entries `userName: 'column'` of a map. */
function columnsOf(map: string): string[] {
  return [...map.matchAll(/(?:^|[\s{,])['"]?[\w.:[\]]+['"]?:\s*'(\w+)'/g)].map(
    ([, column = '']) => column,
  )
}

/** Removes comments, and keeps positions. */
function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, (comment) =>
    comment.replace(/[^\n]/g, ' '),
  )
}

const ENDPOINT = /\bcreateScimEndpoint(?:<[^(]*>)?\(/
const DATABASE =
  /\b(?:sqlStore|DatabaseSync|PGlite|PrismaClient|Kysely|drizzle|createPool)\b|\bPool\(/
const SERVER = /from '(?:express|fastify|node:http|@hono\/node-server|next(?:\/[\w-]+)?)'/
