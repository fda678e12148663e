import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../run.ts'
import { relativeLinks } from './links.ts'

/** Finds what a user would miss in the unpacked tarball of a package. */
export function findMissing(folder: string): string[] {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as object
  return [
    ...FILES.filter((file) => !existsSync(join(folder, file))).map((file) => `${file} is missing`),
    ...SHORT.filter((file) => linesOf(join(folder, file)) > MAX_LINES).map(
      (file) => `${file} has more than ${MAX_LINES} lines`,
    ),
    ...FIELDS.filter((field) => isEmpty(Object.entries(manifest), field)).map(
      (field) => `package.json: ${field} is missing`,
    ),
    ...('devDependencies' in manifest ? ['package.json: has development dependencies'] : []),
    ...(isSameLicense(folder) ? [] : ['LICENSE differs from the license of the repository']),
    ...globSync('**/*.md', { cwd: folder }).flatMap((file) =>
      relativeLinks(readFileSync(join(folder, file), 'utf8')).map(
        (link) => `${file}: ${link} does not work outside of the repository`,
      ),
    ),
  ]
}

function isEmpty(entries: readonly (readonly [string, unknown])[], field: string): boolean {
  const value = entries.find(([name]) => name === field)?.[1]
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}

function linesOf(file: string): number {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length : 0
}

function isSameLicense(folder: string): boolean {
  const file = join(folder, 'LICENSE')
  return !existsSync(file) || readFileSync(file).equals(readFileSync(join(root, 'LICENSE')))
}

const FILES = ['LICENSE', 'CHANGELOG.md', 'README.md', 'SKILL.md']

/** The documents that are read as a whole, and their maximum number of lines. */
const SHORT = ['README.md', 'SKILL.md']
const MAX_LINES = 150

const FIELDS = [
  'description',
  'license',
  'repository',
  'homepage',
  'keywords',
  'engines',
  'sideEffects',
]
