/**
 * Checks the built packages as a user would get them: packs each, checks its files and its links, runs
 * publint and attw on it, installs all of them into an empty folder and imports every entry there without
 * the sources.
 */
import {
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { cp, mkdir, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { install } from './install.ts'
import { findMissing } from './packages/check-contents.ts'
import { measure } from './packages/measure.ts'
import { folderOf, PUBLISHED, stagedFolder } from './packages/stage.ts'
import { root, run, tool } from './run.ts'

const work = mkdtempSync(join(tmpdir(), 'plumbline-packages-'))
let failed = false
/** See decisions/size-of-a-service.md. */
const MAX_OWN_BYTES = 101_000
/** The router of the service. Its matcher, `@remix-run/route-pattern`, is a dependency of ours too. */
const ROUTER = [
  '@remix-run/fetch-router',
  '@remix-run/fetch-router/routes',
  '@remix-run/route-pattern',
]

await install('scripts/tools')
try {
  await installThirdParties()
  for (const name of PUBLISHED) await judge(name)
  await importEntries()
  await measureBundles()
} finally {
  rmSync(work, { recursive: true, force: true })
}
process.exitCode = failed ? 1 : 0

async function installThirdParties(): Promise<void> {
  await mkdir(join(work, 'node_modules', '@plumbline'), { recursive: true })
  for (const entry of await readdir(join(root, 'node_modules'))) {
    if (entry === '@plumbline' || entry.startsWith('.')) continue
    symlinkSync(join(root, 'node_modules', entry), join(work, 'node_modules', entry))
  }
}

async function judge(name: string): Promise<void> {
  const folder = stagedFolder(name)
  await expect(`publint ${name}`, run(tool('publint'), ['--strict', folder]))
  const pack = await run('npm', ['pack', '--silent', '--pack-destination', work, `./${folder}`])
  const tarball = join(work, pack.output.trim().split('\n').pop() ?? '')
  // The directory is a command, without entries.
  if (Object.keys(exportsOf(name)).length > 0) {
    const flags = ['--profile', 'esm-only', '--exclude-entrypoints', './package.json']
    await expect(`attw ${name}`, run(tool('attw'), [...flags, '--', tarball]))
  }
  const unpacked = join(work, name)
  await mkdir(unpacked)
  await expect(`unpack ${name}`, run('tar', ['-xzf', tarball, '-C', unpacked]))
  const missing = findMissing(join(unpacked, 'package'))
  const contents = { code: missing.length === 0 ? 0 : 1, output: missing.join('\n') }
  await expect(`contents of ${name}`, Promise.resolve(contents))
  await cp(join(unpacked, 'package'), join(work, 'node_modules', '@plumbline', name), {
    recursive: true,
  })
}

async function importEntries(): Promise<void> {
  const entries = PUBLISHED.flatMap((name) =>
    Object.keys(exportsOf(name)).map((entry) => `@plumbline/${name}${entry.slice(1)}`),
  )
  const program = entries.map((entry, at) => `import * as entry${at} from '${entry}'`)
  const used = entries.map((entry, at) => `  ['${entry}', entry${at}],`)
  writeFileSync(
    join(work, 'all.ts'),
    `${program.join('\n')}\nfor (const [name, entry] of [\n${used.join('\n')}\n] as const) {\n` +
      "  if (Object.keys(entry).length === 0) throw new Error(name + ' exports nothing')\n}\n",
  )
  writeFileSync(join(work, 'package.json'), '{ "type": "module" }')
  // A program may have conditions for its own sources, also the one of this repository.
  const conditions = ['--conditions=source', '--conditions=@plumbline/source']
  const imports = run('node', [...conditions, join(work, 'all.ts')])
  await expect(`import ${entries.length} entries`, imports)
  const flags = ['--module', 'nodenext', '--target', 'es2023', '--strict', '--noEmit']
  const types = run('tsc', [...flags, '--skipLibCheck', '--ignoreConfig', join(work, 'all.ts')])
  await expect('types of the entries', types)
}

function exportsOf(name: string): Readonly<Record<string, unknown>> {
  const manifest = readFileSync(join(root, folderOf(name), 'package.json'), 'utf8')
  const { exports = {} } = JSON.parse(manifest) as { exports?: Record<string, unknown> }
  return exports
}

/** Bundles the typed client as a browser would load it, and the service of the README with zod and a router. */
async function measureBundles(): Promise<void> {
  writeFileSync(
    join(work, 'client.js'),
    `import { createClient } from '@plumbline/openapi/client'
export const create = (manifest) => createClient(manifest, { baseUrl: '/' })
`,
  )
  copyFileSync(join(root, 'examples/openapi/service.ts'), join(work, 'service.ts'))
  await expectSize('client', 'client.js', 'browser', 5_000)
  await expectSize('service', 'service.ts', 'node', 66_000)
  await expectParts()
}

/** The parts of the minified service: the packages with the example itself, the router, and zod. */
async function expectParts(): Promise<void> {
  const sizeWithout = async (part: string, external: readonly string[]): Promise<number> => {
    const folder = join(work, `service-without-${part}`)
    const { size, ...bundle } = await measure(join(work, 'service.ts'), folder, 'node', external)
    await expect(`bundle the service without ${part}`, Promise.resolve(bundle))
    return size.plain
  }
  const all = await sizeWithout('nothing', [])
  const ours = await sizeWithout('zod-and-router', ['zod', ...ROUTER])
  const withRouter = await sizeWithout('zod', ['zod'])
  const result = { code: ours <= MAX_OWN_BYTES ? 0 : 1, output: `at most ${MAX_OWN_BYTES} of ours` }
  const what = `minified, the service has ${ours} bytes of ours, ${withRouter - ours} of the router and ${all - withRouter} of zod`
  await expect(what, Promise.resolve(result))
}

async function expectSize(
  name: string,
  file: string,
  platform: 'browser' | 'node',
  most: number,
): Promise<void> {
  const { size, ...bundle } = await measure(
    join(work, file),
    join(work, `${name}-bundle`),
    platform,
  )
  await expect(`bundle the ${name}`, Promise.resolve(bundle))
  const { plain, compressed } = size
  const result = { code: compressed <= most ? 0 : 1, output: `at most ${most} bytes compressed` }
  const what = `the ${name} has ${compressed} bytes compressed, ${plain} minified`
  await expect(what, Promise.resolve(result))
}

async function expect(what: string, step: ReturnType<typeof run>): Promise<void> {
  const { code, output } = await step
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${what}`)
  if (code === 0) return
  failed = true
  console.log(output)
}
