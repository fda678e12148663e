import { readdir, readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Outcome } from '@plumbline/base'
import { type IgnoredCoverage, readIgnored } from '../lib/coverage/ignored.ts'
import { readReport } from '../lib/coverage/read-report.ts'
import type { ContractReport } from '../lib/report.ts'
import { CommandError } from './command-error.ts'

/** Reads reports from files, and from the `.json` files in folders. Throws a CommandError. */
export async function readReportFiles(
  paths: readonly string[],
  folder: string,
): Promise<readonly ContractReport[]> {
  const reports: ContractReport[] = []
  for (const path of paths) {
    for (const file of await orInvalid(path, () => filesAt(resolve(folder, path)))) {
      reports.push(await readJson(file, readReport))
    }
  }
  return reports
}

/** Reads the ignored items from a file. Throws a CommandError. */
export async function readIgnoreFile(
  path: string,
  folder: string,
): Promise<readonly IgnoredCoverage[]> {
  return await readJson(resolve(folder, path), readIgnored)
}

/** Returns the file at a path, or a folder's `.json` files ordered by name. */
async function filesAt(path: string): Promise<readonly string[]> {
  if (!(await stat(path)).isDirectory()) return [path]
  const names = (await readdir(path)).filter((name) => name.endsWith('.json')).sort()
  if (names.length === 0) throw new Error('the folder does not have .json files')
  return names.map((name) => join(path, name))
}

async function readJson<Value>(
  file: string,
  read: (json: unknown) => Outcome<Value, { readonly message: string }>,
): Promise<Value> {
  const json: unknown = await orInvalid(file, async () => JSON.parse(await readFile(file, 'utf8')))
  const { value, fault } = read(json)
  if (fault) throw new CommandError(`${file}: ${fault.message}`)
  return value
}

/** Runs a step that fails if the file at a path cannot be read. */
async function orInvalid<Value>(path: string, step: () => Promise<Value>): Promise<Value> {
  try {
    return await step()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new CommandError(`${path}: ${why}`, { cause: error })
  }
}
