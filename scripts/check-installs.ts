/**
 * Installs the built packages into fresh projects, as their users do, and runs a program in each: `nodenext`
 * and `bundler` on several versions of TypeScript, ArkType without zod, zod 3 next to ArkType, CommonJS
 * on the oldest Node that works, the first example of the SCIM package there, and the commands of the doctor and the
 * directory. Needs `npm run build` before it, and a package registry.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tryDirectory } from './packages/directory.ts'
import {
  ARKTYPE_PROGRAM,
  COMMONJS_PROGRAM,
  COMPILERS,
  MIN_NODE,
  SERVER_NODE,
  TYPED_PROGRAM,
} from './packages/projects.ts'
import { PUBLISHED, stagedFolder } from './packages/stage.ts'
import { root, run } from './run.ts'

const work = mkdtempSync(join(tmpdir(), 'plumbline-installs-'))
let failed = false

try {
  const tarballs = await packAll()
  await checkTypes(tarballs)
  await checkArkType('ArkType without zod', { ...tarballs, arktype: '2.2.9' })
  await checkArkType('zod 3 next to ArkType', { ...tarballs, arktype: '2.2.9', zod: '3.25.76' })
  await checkCommonJs(tarballs)
  await checkFirstExample(tarballs)
  await checkDoctor(tarballs)
  await checkDirectory(tarballs)
} finally {
  rmSync(work, { recursive: true, force: true })
}
process.exitCode = failed ? 1 : 0

type Dependencies = Readonly<Record<string, string>>

async function packAll(): Promise<Dependencies> {
  const tarballs: Record<string, string> = {}
  for (const name of PUBLISHED) {
    const flags = ['--silent', '--pack-destination', work]
    const { output } = await run('npm', ['pack', ...flags, `./${stagedFolder(name)}`])
    const file = join(work, output.trim().split('\n').pop() ?? '')
    tarballs[`@plumbline/${name}`] = `file:${file}`
  }
  return tarballs
}

async function checkTypes(tarballs: Dependencies): Promise<void> {
  const compilers = Object.fromEntries(
    COMPILERS.map((version) => [`typescript-${version}`, `npm:typescript@${version}`]),
  )
  const folder = await install('types', { ...tarballs, ...compilers, zod: '4.6.7' })
  writeFileSync(join(folder, 'main.ts'), TYPED_PROGRAM)
  for (const version of COMPILERS) {
    for (const [module, resolution] of [
      ['nodenext', 'nodenext'],
      ['esnext', 'bundler'],
    ] as const) {
      const flags = ['--module', module, '--moduleResolution', resolution, '--target', 'es2022']
      const options = [...flags, '--lib', 'es2023,dom,dom.iterable', '--strict', '--noEmit']
      const compiler = join(folder, 'node_modules', `typescript-${version}`, 'bin/tsc')
      const what = `types with TypeScript ${version}, ${resolution}`
      await expect(what, run('node', [compiler, ...options, '--skipLibCheck', 'main.ts'], folder))
    }
  }
}

async function checkArkType(what: string, dependencies: Dependencies): Promise<void> {
  const folder = await install(what.replaceAll(' ', '-'), dependencies)
  writeFileSync(join(folder, 'main.mjs'), ARKTYPE_PROGRAM)
  await expect(what, run('node', ['main.mjs'], folder))
}

async function checkCommonJs(tarballs: Dependencies): Promise<void> {
  const folder = await install('commonjs', { ...tarballs, node: MIN_NODE })
  writeFileSync(join(folder, 'main.cjs'), COMMONJS_PROGRAM)
  const node = join(folder, 'node_modules/.bin/node')
  await expect(`CommonJS on Node ${MIN_NODE}`, run(node, ['main.cjs'], folder))
}

/** Runs the first example of the SCIM package on the oldest Node, without its types. */
async function checkFirstExample(tarballs: Dependencies): Promise<void> {
  const packages = { ...tarballs, node: MIN_NODE, '@electric-sql/pglite': '0.5.14' }
  const folder = await install('first-example', packages)
  const readme = readFileSync(join(root, 'packages/scim/README.md'), 'utf8')
  const program = stripTypeScriptTypes(/```ts\n(.*?)```/s.exec(readme)?.[1] ?? '')
  writeFileSync(join(folder, 'main.mjs'), `${program}\nconsole.log({ totalResults })`)
  const printed = await run(join(folder, 'node_modules/.bin/node'), ['main.mjs'], folder)
  const isFound = printed.code === 0 && printed.output.includes('{ totalResults: 1 }')
  const outcome = { ...printed, code: isFound ? 0 : 1 }
  await expect(`the first SCIM example on Node ${MIN_NODE}`, Promise.resolve(outcome))
}

/** Runs the command of the doctor on the oldest Node, as `npx` does, against a port that does not answer. */
async function checkDoctor(tarballs: Dependencies): Promise<void> {
  const folder = await install('doctor', { ...tarballs, node: MIN_NODE })
  const command = (...args: readonly string[]): ReturnType<typeof run> =>
    run('npm', ['exec', '--no', '--', 'plumbline-doctor', ...args], folder)
  const listed = await command('--list', '--only', 'create.user')
  const isListed = listed.code === 0 && /^create\.user +MUST/m.test(listed.output)
  const list = { ...listed, code: isListed ? 0 : 1 }
  await expect(`plumbline-doctor --list on Node ${MIN_NODE}`, Promise.resolve(list))
  const failed = await command('http://127.0.0.1:9/scim/v2')
  const isLine =
    failed.code === 2 && /^plumbline-doctor: .* \(unreachable\), see \S+$/m.test(failed.output)
  const outcome = { ...failed, code: isLine ? 0 : 1 }
  await expect('plumbline-doctor without a server: one line, exit code 2', Promise.resolve(outcome))
}

/** Starts the directory with `npx` in an empty project, examines it with the doctor, and stops it. */
async function checkDirectory(tarballs: Dependencies): Promise<void> {
  const folder = await install('directory', { ...tarballs, node: SERVER_NODE })
  await expect(`npx @plumbline/directory on Node ${SERVER_NODE}`, tryDirectory(folder))
  const old = await install('directory-on-old-node', { ...tarballs, node: MIN_NODE })
  const started = await run('npx', ['@plumbline/directory'], old)
  const isLine = started.code === 1 && /needs Node 24 or later, not 20/.test(started.output)
  const outcome = { ...started, code: isLine ? 0 : 1 }
  await expect(`npx @plumbline/directory names the Node that it needs`, Promise.resolve(outcome))
}

/** Makes a project with these dependencies. The installation fails on a conflict of peers. */
async function install(name: string, dependencies: Dependencies): Promise<string> {
  const folder = join(work, name)
  mkdirSync(folder)
  const manifest = { private: true, type: 'module', dependencies, allowScripts: { node: true } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  await expect(`install ${name}`, run('npm', ['install', '--no-audit', '--no-fund'], folder))
  return folder
}

async function expect(what: string, step: ReturnType<typeof run>): Promise<void> {
  const { code, output } = await step
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${what}`)
  if (code === 0) return
  failed = true
  console.log(output)
}
