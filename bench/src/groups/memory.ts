import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { START_FLAGS, START_PROGRAM } from '../directory/start.ts'
import { BUILDERS } from '../documents.ts'

/** Runs of each measurement; the tables have the median and the range. */
const RUNS = 5

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
    { name: 'the directory, a new SQLite database', runs: await sample(startDirectory) },
    {
      name: 'node:http with scimmy, its ServiceProviderConfig',
      runs: await sample(() => startProgram(WITH_SCIMMY)),
    },
    { name: 'node:http, a constant', runs: await sample(() => startProgram(BARE)) },
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

/** Measures the heap in a process of its own, so that nothing else is in it. */
async function heapOf(kind: string, name: string): Promise<string> {
  const script = fileURLToPath(new URL('../heap.ts', import.meta.url))
  const flags = ['--conditions=source', '--expose-gc']
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, script, kind, name])
  return `${(Number(stdout) / 2 ** 20).toFixed(1)} MB`
}

interface Started {
  readonly resident: string
  readonly time: string
}

async function startDirectory(): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  const env = { PORT: '18271', DATABASE_URL: `file:${join(folder, 'directory.db')}` }
  try {
    return await start([...START_FLAGS, START_PROGRAM], env, 'http://127.0.0.1:18271/api/health')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function startProgram(program: string): Promise<Started> {
  return await start(['--input-type=module', '-e', program], {}, 'http://127.0.0.1:18272/')
}

/** Starts a server, waits for its first response, and reads its memory two seconds later. */
async function start(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  url: string,
): Promise<Started> {
  const began = performance.now()
  const child = spawn(process.execPath, [...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    while (!(await answers(url))) await delay(2)
    const time = `${(performance.now() - began).toFixed(0)} ms`
    await delay(2_000)
    const pages = Number(readFileSync(`/proc/${child.pid}/statm`, 'utf8').split(' ')[1])
    return { time, resident: `${((pages * 4_096) / 2 ** 20).toFixed(0)} MB` }
  } finally {
    const ended = once(child, 'exit')
    child.kill()
    await ended
  }
}

async function answers(url: string): Promise<boolean> {
  return await fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

const BARE = `
  import { createServer } from 'node:http'
  createServer((request, response) => response.end('{}')).listen(18272)
`

const WITH_SCIMMY = `
  import { createServer } from 'node:http'
  import SCIMMY from 'scimmy'
  createServer(async (request, response) => {
    const config = await new SCIMMY.Resources.ServiceProviderConfig().read()
    response.end(JSON.stringify(config))
  }).listen(18272)
`
