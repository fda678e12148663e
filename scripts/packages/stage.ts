import {
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { root, run } from '../run.ts'
import { absoluteLinks } from './links.ts'

/** The packages that are published, each after those that it depends on. */
export const PUBLISHED: readonly string[] = [
  'result',
  'problem',
  'openapi',
  'contract',
  'scim',
  'doctor',
  'directory',
]

/** The folder of a package's sources. */
export function folderOf(name: string): string {
  return name === 'directory' ? 'apps/directory' : `packages/${name}`
}

/** The folder that is published for a package. */
export function stagedFolder(name: string): string {
  return join('dist', name)
}

/**
 * Writes the folder that is published for a built package: its files, the license of the repository, a
 * manifest that names the repository, copies of the internal packages that it imports, and documents whose links work
 * outside of the repository.
 */
export async function stage(name: string): Promise<{ code: number; output: string }> {
  const folder = join(root, stagedFolder(name))
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const flags = ['--silent', '--pack-destination', folder]
  const pack = await run('npm', ['pack', ...flags, `./${folderOf(name)}`])
  const tarball = join(folder, pack.output.trim().split('\n').pop() ?? '')
  if (pack.code !== 0) return pack
  const unpack = await run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1'])
  rmSync(tarball, { force: true })
  if (unpack.code !== 0) return unpack
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  completeManifest(folder, name)
  copyInternal(name, 'src', folder)
  for (const file of globSync('**/*.md', { cwd: folder })) {
    const text = readFileSync(join(folder, file), 'utf8')
    const place = { repository: REPOSITORY, file: `${folderOf(name)}/${file}` }
    writeFileSync(join(folder, file), absoluteLinks(text, place))
  }
  return { code: 0, output: '' }
}

/** The internal packages that the build copies into a published one. */
export function bundledIn(name: string): readonly string[] {
  const { devDependencies = {} } = readManifest(join(root, folderOf(name), 'package.json'))
  return INTERNAL.filter((one) => Object.hasOwn(devDependencies, `@plumbline/${one}`))
}

/**
 * Copies the internal packages that a package imports into its sources or its built files, and imports the copies by
 * their path.
 */
export function copyInternal(
  name: string,
  part: 'src' | 'dist',
  folder: string = join(root, folderOf(name)),
): void {
  const copied = bundledIn(name)
  const entry = part === 'src' ? 'index.ts' : 'index.js'
  for (const one of copied) {
    cpSync(join(root, folderOf(one), part), join(folder, part, one), {
      recursive: true,
      filter: (path) => !path.endsWith('.test.ts'),
    })
  }
  for (const file of globSync('**/*.{ts,js}', { cwd: join(folder, part) })) {
    const text = readFileSync(join(folder, part, file), 'utf8')
    const local = text.replace(/'@plumbline\/(\w+)'/g, (specifier, one: string) =>
      copied.includes(one) ? `'${pathTo(dirname(file), join(one, entry))}'` : specifier,
    )
    if (local !== text) writeFileSync(join(folder, part, file), local)
  }
}

function pathTo(from: string, to: string): string {
  const path = relative(from, to)
  return path.startsWith('.') ? path : `./${path}`
}

/**
 * Only the root manifest names the repository and the versions of Node. The condition for the sources is dropped: Node
 * does not run TypeScript below `node_modules`.
 */
function completeManifest(folder: string, name: string): void {
  const file = join(folder, 'package.json')
  const { devDependencies: _, ...manifest } = readManifest(file)
  const directory = folderOf(name)
  const complete = {
    ...manifest,
    repository: { ...ROOT.repository, directory },
    homepage: `${REPOSITORY}/tree/HEAD/${directory}#readme`,
    engines: { node: name === 'directory' ? SERVER_ENGINE : ROOT.engines.node },
  }
  const published = (key: string, value: unknown) => (key === SOURCES ? undefined : value)
  writeFileSync(file, `${JSON.stringify(complete, published, 2)}\n`)
}

function readManifest(file: string): Manifest {
  return JSON.parse(readFileSync(file, 'utf8')) as Manifest
}

interface Manifest {
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** In the sources of the directory, `npm ci` would warn on Node 20, although it installs Node 24. */
const SERVER_ENGINE = '>=24'
/** The condition of `exports` with which this repository runs its sources. */
const SOURCES = '@plumbline/source'
/** The packages that are built into others, each after those that it imports. */
export const INTERNAL: readonly string[] = ['report', 'base', 'listener']
const ROOT = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly repository: { readonly type: string; readonly url: string }
  readonly engines: { readonly node: string }
}
/** The address of the repository. */
export const REPOSITORY = ROOT.repository.url.replace(/^git\+/, '').replace(/\.git$/, '')
