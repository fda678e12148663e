import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../run.ts'

/** The version of a release at a time: its UTC date, as decisions/dated-releases.md describes it. */
export function versionAt(time: Date): string {
  return [time.getUTCFullYear(), time.getUTCMonth() + 1, time.getUTCDate()].join('.')
}

/** Replaces the version of all packages in a checkout: in manifests, lockfiles, and the files that contain it. */
export async function setVersion(folder: string, from: string, to: string): Promise<void> {
  const { output } = await run('git', ['ls-files', ...FILES], folder)
  for (const file of output.trim().split('\n')) {
    const path = join(folder, file)
    const text = readFileSync(path, 'utf8')
    const changed = replaceVersion(text, from, to)
    if (changed !== text) writeFileSync(path, changed)
  }
}

/** Replaces the version of these packages. Versions of other packages and in prose are not changed. */
export function replaceVersion(text: string, from: string, to: string): string {
  return text.replaceAll(
    /((?:"version"|"@plumbline\/[a-z]+"): "|VERSION = ')([\d.]+)(?=["'])/g,
    (whole, before: string, version: string) => (version === from ? before + to : whole),
  )
}

const FILES = [
  '*package.json',
  '*package-lock.json',
  '*/src/version.ts',
  '*/src/lib/version.ts',
  'apps/directory/test/fixtures/management.openapi.json',
]
