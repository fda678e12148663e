import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { importMemberships } from '../features/imports/csv-memberships.ts'
import { csvUserSource } from '../features/imports/csv-users.ts'
import { download } from '../features/imports/download.ts'
import { escapeControls } from '../features/imports/escape-controls.ts'
import { importResources } from '../features/imports/import.ts'
import { jsonLinesSource, requireExport } from '../features/imports/json-lines.ts'
import { readMapping } from '../features/imports/mapping.ts'
import { createReport, type ImportCounts, type ImportReport } from '../features/imports/report.ts'
import { SourceError } from '../features/imports/source.ts'
import { LAYOUT } from '../features/tenants/tables.ts'
import { DEFAULT_TENANT } from '../kernel/access/tenant-store.ts'
import { expressible } from '../kernel/clock.ts'
import { analyze } from '../kernel/store/analyze.ts'
import { openStore } from '../kernel/store/open.ts'
import type { Store } from '../kernel/store/store.ts'
import type { Config } from './config.ts'
import { attempt, reasonOf, stop } from './exit.ts'
import { TOKEN_VARIABLE } from './import-options.ts'
import type { GivenOptions } from './options.ts'
import { progressBar } from './progress-bar.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Imports an export's lines, or a CSV file's rows. Exits with 2 if a row was rejected. */
export async function importFile(config: Config, file: string, given: GivenOptions): Promise<void> {
  const mappingFile = given.get('--mapping')
  const mapping = mappingFile === undefined ? null : await readMapping(mappingFile).catch(stopWith)
  await stat(file).catch(stopWith)
  if (mapping === null) await requireExport(file).catch(stopWith)
  await runImport(config, given, (parts) => {
    if (mapping === null) {
      return importResources({ ...parts, open: () => jsonLinesSource(file) })
    }
    if (mapping.users === null) return importMemberships({ ...parts, file, mapping })
    return importResources({ ...parts, open: (types) => csvUserSource(file, mapping, types) })
  })
}

/** Imports a running SCIM server's users and groups, which are downloaded into a temporary file first. */
export async function importServer(
  config: Config,
  address: string,
  given: GivenOptions,
): Promise<void> {
  const url = address.replace(/\/+$/, '')
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) stop('--from needs an http or https URL')
  const tokenFile = given.get('--token-file')
  const token =
    tokenFile === undefined
      ? (given.get('--token') ?? process.env[TOKEN_VARIABLE] ?? null)
      : (await readFile(tokenFile, 'utf8').catch(stopWith)).trim()
  const file = join(await temporaryFolder('directory-import-'), 'resources.jsonl')
  let names: readonly string[] = []
  await runImport(
    config,
    given,
    (parts) =>
      importResources({
        ...parts,
        open: async (types) => {
          names = await download({ server: { url, token }, types, file, progress: downloadBar() })
          return await jsonLinesSource(file)
        },
      }),
    (line) => names[line - 1] ?? `line ${line}`,
  )
}

/** Draws a bar for each type. */
function downloadBar(): (type: string, done: number, of: number) => void {
  let [current, draw] = ['', progressBar()]
  return (type, done, of) => {
    if (type !== current) {
      process.stderr.write(`Downloading ${type}\n`)
      ;[current, draw] = [type, progressBar()]
    }
    draw(done, Math.max(of, 1))
  }
}

/** The options common to all imports. */
export interface ImportParts {
  readonly store: Store
  readonly tenantId: string
  readonly isDryRun: boolean
  readonly report: ImportReport
  readonly progress: (done: number, of: number) => void
  readonly now: () => number
}

/** Runs an import with a progress bar, and prints a line for each rejected row and the counts. */
async function runImport(
  config: Config,
  given: GivenOptions,
  work: (options: ImportParts) => Promise<boolean>,
  nameOf?: (line: number) => string,
): Promise<void> {
  const tenantId = given.get('--tenant') ?? DEFAULT_TENANT
  const isDryRun = given.has('--dry-run')
  const report = createReport(print, nameOf)
  const options = { tenantId, isDryRun, report, progress: progressBar() }
  const now = () => expressible(Date.now())
  const store = await attempt(config, () => openStore(config.database, LAYOUT), 'import the rows')
  const isFound = await attempt(
    config,
    () => work({ ...options, store, now }).catch(stopAtSource),
    'import the rows',
  )
  if (!isFound) stop(`tenant ${tenantId} not found`, 'import the rows')
  if (!isDryRun) await attempt(config, () => analyze(store), 'import the rows')
  await store.close()
  const counts = report.counts()
  for (const [name, rows] of report.ignored()) {
    print(`The tenant does not have the attribute ${name}, which ${rows} rows have.`)
  }
  console.log(summaryOf(counts, isDryRun))
  if (counts.rejected > 0 || counts.leftOut > 0) process.exitCode = 2
}

/** Prints text with names and messages of the source. */
function print(text: string): void {
  console.log(escapeControls(text))
}

function summaryOf(
  { created, existing, rejected, leftOut }: ImportCounts,
  isDryRun: boolean,
): string {
  const done = isDryRun ? 'Nothing was written. The import would have' : 'The import has'
  return `${done} ${created} new and ${existing} existing resources; ${rejected} rows rejected, ${leftOut} members left out.`
}

/** Reports a source's error without the database, which other errors name. */
function stopAtSource(error: unknown): never {
  if (error instanceof SourceError) stopWith(error)
  throw error
}

function stopWith(error: unknown): never {
  if (!(error instanceof SourceError)) return stop(reasonOf(error), 'import the rows')
  const { message, cause } = error
  return stop(cause === undefined ? message : `${message}: ${reasonOf(cause)}`, 'import the rows')
}
