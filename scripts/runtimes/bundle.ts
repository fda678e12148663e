import { globSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { join, relative, resolve } from 'node:path'
import { bundledIn, folderOf, INTERNAL, stagedFolder } from '../packages/stage.ts'
import { root } from '../run.ts'
import { PACKAGES } from './entries.ts'

/** The bundled tests. */
export interface Suite {
  readonly files: readonly string[]
  readonly skipped: readonly { readonly file: string; readonly reason: string }[]
}

/** Files that cannot run without vitest. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'packages/openapi/src/lib/client/reconnect-waits.test.ts': 'uses the fake timers of vitest',
  'packages/openapi/src/lib/check/check-stream.test.ts': 'uses the fake timers of vitest',
  'packages/contract/src/lib/generate/read-back.test.ts':
    'each runtime changes other characters of a request',
  'packages/openapi/src/lib/server/heartbeat.test.ts': 'uses the fake timers of vitest',
  'packages/contract/test/bookshop-generated.test.ts': 'reads the environment of Node',
  'packages/scim/test/endpoint/abandoned-writes.test.ts': 'uses the fake timers of vitest',
  'packages/scim/test/endpoint/transactions.test.ts': 'uses the fake timers of vitest',
}

/** Packages of tests that only run on Node. */
const NODE_PACKAGES: readonly string[] = [
  '@electric-sql/pglite',
  '@hyperjump/json-schema',
  'mysql2',
  'pg',
  'typescript',
]

/** Bundles the tests of the libraries into one module, `suite.mjs`. */
export async function bundleTests(home: string, work: string): Promise<Suite> {
  const esbuild = createRequire(join(home, 'package.json'))('esbuild') as Bundler
  const folders = `packages/{${PACKAGES.join(',')}}/{src,test}`
  const all = globSync(`${folders}/**/*.test.ts`, { cwd: root })
    .filter((file) => !file.endsWith('.servers.test.ts'))
    .sort()
  const missing = Object.keys(EXCEPTIONS).find((file) => !all.includes(file))
  if (missing !== undefined) throw new TypeError(`${missing} does not exist`)
  const inputs = await readImports(esbuild, home, all)
  const reasons = all.map((file) => ({ file, reason: EXCEPTIONS[file] ?? needOf(file, inputs) }))
  const skipped = reasons.flatMap(({ file, reason }) => (reason ? [{ file, reason }] : []))
  const files = reasons.filter(({ reason }) => reason === undefined).map(({ file }) => file)
  await esbuild.build({
    ...optionsOf(home),
    stdin: { contents: programOf(files), resolveDir: root, loader: 'ts' },
    outfile: join(work, 'suite.mjs'),
  })
  return { files, skipped }
}

type Inputs = Readonly<Record<string, { readonly imports: readonly { readonly path: string }[] }>>

/** Reads which modules each file imports. Packages are not followed. */
async function readImports(
  esbuild: Bundler,
  home: string,
  files: readonly string[],
): Promise<Inputs> {
  const { metafile } = await esbuild.build({
    ...optionsOf(home),
    absWorkingDir: root,
    entryPoints: files,
    outdir: join(home, 'work'),
    packages: 'external',
    plugins: [],
    write: false,
    metafile: true,
  })
  return metafile?.inputs ?? {}
}

/** The reason why a test file only runs on Node: a module that it reaches. */
function needOf(file: string, inputs: Inputs, seen: Set<string> = new Set()): string | undefined {
  seen.add(file)
  for (const { path } of inputs[file]?.imports ?? []) {
    const isNodeOnly = isBuiltin(path) || NODE_PACKAGES.some((name) => path.startsWith(name))
    if (isNodeOnly) return `${file} imports ${path}`
    const reason = seen.has(path) ? undefined : needOf(path, inputs, seen)
    if (reason !== undefined) return reason
  }
  return undefined
}

function programOf(files: readonly string[]): string {
  const loads = files.map((file) => `  ['${file}', () => import('./${file}')],`)
  return `import { DEVIATIONS } from './scripts/runtimes/deviations.ts'
import { runFiles } from './scripts/runtimes/vitest.ts'
const files = [
${loads.join('\n')}
] as const
export async function runSuite(): Promise<boolean> {
  const agent = globalThis.navigator?.userAgent ?? ''
  const expected = DEVIATIONS.filter(({ runtime }) => agent.startsWith(runtime))
  const { passed, failures } = await runFiles(files, expected.flatMap(({ tests }) => tests))
  for (const failure of failures.slice(0, 30)) console.log(failure)
  console.log(passed + ' passed, ' + failures.length + ' failed')
  return failures.length === 0
}
const isWorker = globalThis.navigator?.userAgent === 'Cloudflare-Workers'
if (!isWorker && !(await runSuite())) throw new Error('tests failed')
`
}

function optionsOf(home: string): object {
  return {
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2023',
    mainFields: ['module', 'main'],
    conditions: ['import', 'module', 'default'],
    nodePaths: [join(home, 'node_modules')],
    logLevel: 'silent',
    // Only packages of the tests ask for `process`, and Deno would ask for a permission.
    define: { process: 'undefined' },
    keepNames: true,
    plugins: [{ name: 'built-packages', setup: useBuiltPackages }],
  }
}

/** Makes `vitest` lead to the stand-in, and a package or a source of it to the module that is published. */
function useBuiltPackages(build: Build): void {
  build.onResolve({ filter: /^vitest$/ }, () => ({
    path: join(root, 'scripts/runtimes/vitest.ts'),
  }))
  build.onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ path, resolveDir }) => {
    const file = relative(root, resolve(resolveDir, path))
    const [, name = '', module = ''] = /^packages\/(\w+)\/src\/(.*)\.ts$/.exec(file) ?? []
    if (module === '' || /\.(test|cases)$|(^|\/)testing\//.test(module)) return undefined
    return { path: join(root, stagedFolder(name), 'dist', `${module}.js`) }
  })
  // The entry `@plumbline/scim/filter` is the module `filter`. A package has its own copy of an internal one.
  build.onResolve({ filter: /^@plumbline\// }, ({ path, resolveDir }) => {
    const [, name = '', entry = 'index'] = path.split('/')
    if (!INTERNAL.includes(name))
      return { path: join(root, stagedFolder(name), `dist/${entry}.js`) }
    const [, importer = ''] = /^packages\/(\w+)\//.exec(relative(root, resolveDir)) ?? []
    const folder = bundledIn(importer).includes(name)
      ? join(stagedFolder(importer), 'dist', name)
      : join(folderOf(name), 'dist')
    return { path: join(root, folder, 'index.js') }
  })
}

/** The part of esbuild that is used. */
interface Bundler {
  readonly build: (options: object) => Promise<{
    readonly metafile?: {
      readonly inputs: Inputs
    }
  }>
}

interface Build {
  readonly onResolve: (
    options: { readonly filter: RegExp },
    resolve: (args: {
      readonly path: string
      readonly resolveDir: string
    }) => { readonly path: string } | undefined,
  ) => void
}
