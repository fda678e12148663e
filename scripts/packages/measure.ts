import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { run } from '../run.ts'

/** The size of a bundled program in bytes, without the parts that it loads later. */
export interface Size {
  /** Minified. */
  readonly plain: number
  /** Minified and compressed by gzip. */
  readonly compressed: number
}

/**
 * Bundles a program into a new folder and measures the part that is loaded at the start: the entry and the
 * chunks that it imports statically. Modules of `external` are not a part of the bundle.
 */
export async function measure(
  entry: string,
  folder: string,
  platform: 'browser' | 'node',
  external: readonly string[] = [],
): Promise<{ code: number; output: string; size: Size }> {
  const flags = ['--minify', '--platform', platform, '--entry-file-names', 'entry.js']
  const excluded = external.flatMap((name) => ['--external', name])
  const { code, output } = await run('rolldown', [entry, ...flags, ...excluded, '-d', folder])
  const files = code === 0 ? [...loadedAtStart(folder)] : []
  const contents = files.map((file) => readFileSync(join(folder, file)))
  const plain = contents.reduce((sum, { byteLength }) => sum + byteLength, 0)
  const compressed = contents.reduce((sum, text) => sum + gzipSync(text).byteLength, 0)
  return { code, output, size: { plain, compressed } }
}

function loadedAtStart(folder: string): ReadonlySet<string> {
  const files = new Set(['entry.js'])
  // A set that grows while it is read visits each chunk once.
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8')
    for (const [, chunk = ''] of text.matchAll(STATIC_IMPORT)) files.add(chunk)
  }
  return files
}

// An import of several names, or of none. `import(…)` has a parenthesis.
const STATIC_IMPORT = /\b(?:from|import)\s*["']\.\/([^"']+)["']/g
