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

/** The folder that is published for a package. */
export function stagedFolder(name: string): string {
  return join('dist', name)
}

/**
 * Writes the folder that is published for a built package: its files, the license of the repository, a
 * manifest that names the repository, a copy of the internal package if it is imported, and documents whose links work
 * outside of the repository.
 */
export async function stage(name: string): Promise<{ code: number; output: string }> {
  const folder = join(root, stagedFolder(name))
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const flags = ['--silent', '--pack-destination', folder]
  const pack = await run('npm', ['pack', ...flags, `./packages/${name}`])
  const tarball = join(folder, pack.output.trim().split('\n').pop() ?? '')
  if (pack.code !== 0) return pack
  const unpack = await run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1'])
  rmSync(tarball, { force: true })
  if (unpack.code !== 0) return unpack
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  completeManifest(folder, name)
  copyInternal(folder, name)
  for (const file of globSync('**/*.md', { cwd: folder })) {
    const text = readFileSync(join(folder, file), 'utf8')
    const place = { repository: REPOSITORY, file: `packages/${name}/${file}` }
    writeFileSync(join(folder, file), absoluteLinks(text, place))
  }
  return { code: 0, output: '' }
}

/** Copies the internal package into the published packages that import it, and imports the copy by its path. */
function copyInternal(folder: string, name: string): void {
  const { devDependencies = {} } = readManifest(join(root, 'packages', name, 'package.json'))
  if (!Object.hasOwn(devDependencies, INTERNAL)) return
  for (const [part, entry] of [
    ['src', 'index.ts'],
    ['dist', 'index.js'],
  ] as const) {
    cpSync(join(root, 'packages/report', part), join(folder, part, 'report'), {
      recursive: true,
      filter: (path) => !path.endsWith('.test.ts'),
    })
    for (const file of globSync('**/*.{ts,js}', { cwd: join(folder, part) })) {
      const text = readFileSync(join(folder, part, file), 'utf8')
      const path = join(relative(dirname(file), 'report'), entry)
      if (text.includes(INTERNAL)) {
        writeFileSync(join(folder, part, file), text.replaceAll(`'${INTERNAL}'`, `'${path}'`))
      }
    }
  }
}

/** Only the root manifest names the repository and the versions of Node. */
function completeManifest(folder: string, name: string): void {
  const file = join(folder, 'package.json')
  const { devDependencies: _, ...manifest } = readManifest(file)
  const directory = `packages/${name}`
  const complete = {
    ...manifest,
    repository: { ...ROOT.repository, directory },
    homepage: `${REPOSITORY}/tree/HEAD/${directory}#readme`,
    engines: { node: ROOT.engines.node },
  }
  writeFileSync(file, `${JSON.stringify(complete, null, 2)}\n`)
}

function readManifest(file: string): Manifest {
  return JSON.parse(readFileSync(file, 'utf8')) as Manifest
}

interface Manifest {
  readonly devDependencies?: Readonly<Record<string, string>>
}

const INTERNAL = '@plumbline/report'
const ROOT = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly repository: { readonly type: string; readonly url: string }
  readonly engines: { readonly node: string }
}
const REPOSITORY = ROOT.repository.url.replace(/^git\+/, '').replace(/\.git$/, '')
