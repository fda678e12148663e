/**
 * Tries the pages in `docs/pages/start` that have programs, word for word, in empty folders: writes their files, runs their
 * commands in order with the packed packages, and compares the output with the blocks that follow. A command that does not
 * end is a server, and the next one runs when its port answers. Needs `npm run build`. Usage: `node scripts/try-start-pages.ts [page]`
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { PUBLISHED, stagedFolder } from './packages/stage.ts'
import { root, run } from './run.ts'

/** The pages that are tried. The other pages of a line go on with the server of the first. */
const PAGES = [
  ['hono'],
  ['drizzle'],
  ['kysely', 'doctor'],
  ['prisma'],
  ['nextjs'],
  ['directory', 'entra-id', 'okta'],
]
/** The versions of packages that no example installs. */
const OTHERS = { next: '16.4.6', react: '19.3.1', 'react-dom': '19.3.1', '@types/react': '19.3.0' }
const PORT = 3000

const wanted = process.argv.slice(2)
const work = mkdtempSync(join(tmpdir(), 'plumbline-start-'))
const tarballs = await packAll()
/** The packages that pages install. `npx` installs the directory. */
const libraries = tarballs.filter((file) => !file.includes('plumbline-directory-'))
const versions = versionsOfExamples()
try {
  for (const pages of PAGES.filter(([name = '']) => wanted.length === 0 || wanted.includes(name))) {
    const started = performance.now()
    const fault = await tryPages(pages)
    const seconds = ((performance.now() - started) / 1000).toFixed(0)
    console.log(
      `${fault === null ? 'ok    ' : 'FAILED'} docs/pages/start: ${pages.join(', ')} (${seconds} s)`,
    )
    if (fault === null) continue
    console.log(fault)
    process.exitCode = 1
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** Follows pages in one folder, and returns what went wrong, or null. */
async function tryPages(pages: readonly string[]): Promise<string | null> {
  const folder = mkdtempSync(join(work, 'page-'))
  const servers: ChildProcess[] = []
  try {
    if (pages[0] === 'directory') await installDirectory(folder)
    for (const page of pages) {
      const fault = await followPage(join(root, 'docs/pages/start', `${page}.md`), folder, servers)
      if (fault !== null) return `${page}: ${fault}`
    }
    return null
  } finally {
    for (const server of servers) await stop(server)
  }
}

async function followPage(
  file: string,
  folder: string,
  servers: ChildProcess[],
): Promise<string | null> {
  let output = ''
  for (const { link, target, language, text = '' } of stepsOf(readFileSync(file, 'utf8'))) {
    if (link !== undefined) {
      mkdirSync(dirname(join(folder, link)), { recursive: true })
      writeFileSync(join(folder, link), readFileSync(join(dirname(file), target ?? '')))
    } else if (language === 'sh') {
      const ended = await runCommand(localPackages(filled(text, output)), folder, servers)
      if (ended.code !== 0) return `${text}exited with ${ended.code}:\n${ended.output}`
      output = ended.output
    } else if (!output.includes(text.trim())) return `expected ${text}found ${output}`
  }
  return output === '' ? 'no command printed anything' : null
}

interface Step {
  readonly link: string | undefined
  readonly target: string | undefined
  readonly language: string | undefined
  readonly text: string | undefined
}

/** The files, commands and outputs of a page, in their order. */
function stepsOf(page: string): Step[] {
  const steps = page.matchAll(
    /^\[((?:[^\]\n]|\](?!\())+)\]\(([^)\n]+)\)$|^```(\w+)\n([\s\S]*?)^```/gm,
  )
  return [...steps].map(([, link, target, language, text]) => ({ link, target, language, text }))
}

/** Fills in what a reader does: the host, and the token that the command before has printed. */
function filled(command: string, output: string): string {
  const token = /"token":"([^"]+)"/.exec(output)?.[1] ?? '…'
  return command.replace('https://your-host', `http://localhost:${PORT}`).replace('…', token)
}

/** Runs a command, with the variables of those before it, until it ends or its port answers. */
async function runCommand(
  command: string,
  cwd: string,
  servers: ChildProcess[],
): Promise<{ code: number; output: string }> {
  const isServed = await answers()
  // Prisma's command would download an engine of migrations, which it does not need here.
  const engine = { PRISMA_SCHEMA_ENGINE_BINARY: join(root, 'package.json') }
  const env = { ...process.env, ...engine, NEXT_TELEMETRY_DISABLED: '1' }
  const variables = 'test ! -f .variables || . ./.variables'
  const script = `${variables}\nset -a\n${command}\nexport -p > .variables`
  const child = spawn('bash', ['-ec', script], { cwd, env, detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += part))
  const ended = new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? 1)))
  for (;;) {
    const code = await Promise.race([ended, setTimeout(200)])
    if (code !== undefined) return { code, output }
    if (isServed || !(await answers())) continue
    servers.push(child)
    return { code: 0, output }
  }
}

function answers(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(PORT, '127.0.0.1')
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
}

/** Stops a server with the processes that it started, and waits until its port is free. */
async function stop({ pid = 0 }: ChildProcess): Promise<void> {
  process.kill(-pid)
  while (await answers()) await setTimeout(100)
}

/** Installs the packed packages in place of published ones, and other packages in the versions of the examples. */
function localPackages(command: string): string {
  const local = command.replace(/^npm install .*@plumbline\/.*$/gm, (line) => {
    const others = line.replaceAll(/ @plumbline\/\w+/g, '')
    return `${others} ${libraries.join(' ')}`
  })
  return local.replace(
    /(?<=^npm install .*) (@?[\w-]+(?:\/[\w-]+)?)(?=\s|$)/gm,
    (word, name: string) => (versions.has(name) ? ` ${name}@${versions.get(name)}` : word),
  )
}

/** Installs what `npx` would install. */
async function installDirectory(folder: string): Promise<void> {
  const { code, output } = await run('npm', ['install', '--no-save', ...tarballs], folder)
  if (code !== 0) throw new Error(output)
}

async function packAll(): Promise<string[]> {
  const files: string[] = []
  for (const name of PUBLISHED) {
    const flags = ['--silent', '--pack-destination', work]
    const { code, output } = await run('npm', ['pack', ...flags, `./${stagedFolder(name)}`])
    if (code !== 0) throw new Error(`npm run build comes first:\n${output}`)
    files.push(join(work, output.trim().split('\n').pop() ?? ''))
  }
  return files
}

/** The tested versions of other packages. */
function versionsOfExamples(): ReadonlyMap<string, string> {
  const manifests = globSync('examples/*/package.json', { cwd: root }).map(
    (file) =>
      JSON.parse(readFileSync(join(root, file), 'utf8')) as {
        readonly dependencies?: Readonly<Record<string, string>>
        readonly devDependencies?: Readonly<Record<string, string>>
      },
  )
  return new Map(
    [{ dependencies: OTHERS, devDependencies: {} }, ...manifests]
      .flatMap(({ dependencies, devDependencies }) =>
        Object.entries({ ...devDependencies, ...dependencies }),
      )
      .filter(([, version]) => /^\d/.test(version)),
  )
}
