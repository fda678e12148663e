import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { BUILDERS } from '../documents.ts'
import { amount } from '../short.ts'
import { BARE, type Started, startDirectory, startProgram } from '../started.ts'

/** Runs per measurement; the tables have the median and the range. */
const RUNS = amount(3, 1)

export async function run(): Promise<void> {
  await table('Heap of a document of 1,000 operations, without the schemas', [
    ...Object.keys(BUILDERS).map((name) => ({ name, measure: () => heapOf('document', name) })),
  ])
  await table('Heap of a package after its import', [
    {
      name: '@plumbline/scim, all entries but /data-table',
      measure: () => heapOf('import', 'plumbline'),
    },
    { name: 'scimmy', measure: () => heapOf('import', 'scimmy') },
    {
      name: 'scim-patch and scim2-parse-filter: PATCH and filters only',
      measure: () => heapOf('import', 'small'),
    },
  ])
  const servers = [
    {
      name: 'the directory, a new SQLite database',
      runs: await sample(() => formatted(startDirectory())),
    },
    {
      name: 'node:http with scimmy, its ServiceProviderConfig',
      runs: await sample(() => formatted(startProgram(WITH_SCIMMY))),
    },
    { name: 'node:http, a constant', runs: await sample(() => formatted(startProgram(BARE))) },
  ]
  for (const [title, figure] of [
    ['Memory of an idle server', 'resident'],
    ['From the start of the process to the first response', 'time'],
  ] as const) {
    const rows = servers.map(({ name, runs }) => ({ name, values: runs.map((one) => one[figure]) }))
    printRows(title, figure, rows)
  }
}

interface Measured {
  readonly name: string
  readonly measure: () => Promise<string>
}

async function table(title: string, contenders: readonly Measured[]): Promise<void> {
  const rows = []
  for (const { name, measure } of contenders) rows.push({ name, values: await sample(measure) })
  printRows(title, 'heap', rows)
}

async function sample<Value>(measure: () => Promise<Value>): Promise<Value[]> {
  const values: Value[] = []
  for (let run = 0; run < RUNS; run += 1) values.push(await measure())
  return values
}

function printRows(
  title: string,
  unit: string,
  rows: readonly { readonly name: string; readonly values: readonly string[] }[],
): void {
  console.log(`\n${title}\n`)
  console.log(`| | ${unit} | range of ${RUNS} runs |\n| --- | --- | --- |`)
  for (const { name, values } of rows) {
    const sorted = values.toSorted((a, b) => Number.parseFloat(a) - Number.parseFloat(b))
    console.log(`| ${name} | ${sorted[RUNS >> 1]} | ${sorted[0]} to ${sorted.at(-1)} |`)
  }
}

/** Measures the heap in a separate process, so nothing else is in it. */
async function heapOf(kind: string, name: string): Promise<string> {
  const script = fileURLToPath(new URL('../heap.ts', import.meta.url))
  const flags = ['--conditions=@plumbline/source', '--expose-gc']
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, script, kind, name])
  return `${(Number(stdout) / 2 ** 20).toFixed(1)} MB`
}

/** A started server, with the figures as the tables show them. */
async function formatted(started: Promise<Started>): Promise<Record<'resident' | 'time', string>> {
  const { milliseconds, resident } = await started
  return { time: `${milliseconds.toFixed(0)} ms`, resident: `${resident.toFixed(0)} MB` }
}

const WITH_SCIMMY = `
  import { createServer } from 'node:http'
  import SCIMMY from 'scimmy'
  createServer(async (request, response) => {
    const config = await new SCIMMY.Resources.ServiceProviderConfig().read()
    response.end(JSON.stringify(config))
  }).listen(process.env.PORT)
`
