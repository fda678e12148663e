import { readdirSync, readFileSync } from 'node:fs'
import { parseRun, type Run } from '@plumbline/doctor'
import { unwrap } from '@plumbline/result'

/** Reads the identity providers' recorded requests in this folder, keyed by name. */
export function readRuns(): ReadonlyMap<string, Run> {
  const folder = new URL('.', import.meta.url)
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
  return new Map(
    files.map((file) => [
      file.replace('.json', ''),
      unwrap(parseRun(JSON.parse(readFileSync(new URL(file, folder), 'utf8')))),
    ]),
  )
}
