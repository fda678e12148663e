import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { printBudget, ratiosOf } from '../budget.ts'
import { amount } from '../short.ts'
import type { Load } from './client.ts'
import {
  type Client,
  end,
  heardFrom,
  type Server,
  startClient,
  startDirectory,
} from './processes.ts'
import type { Seeded } from './seeded.ts'

const ROUNDS = amount(7, 1)
const WARM_UP = amount(5_000, 50)
const REQUESTS = amount(10_000, 50)
const LONG = amount(100_000, 100)
const AT_LEAST = 0.4
const AT_LEAST_OF_STATEMENTS = 0.9

/** A client sending requests from a separate process. */
interface Bench {
  /** Sends requests to a port; returns the responses per second. */
  readonly send: Client['send']
  readonly directory: Server
  /** The database's name. */
  readonly url: string
}

/** Measures the server's requests per second against a bare server, and the server's memory over a long load. */
export async function load(what: string, { url, token, users }: Seeded): Promise<void> {
  const client = startClient({ token, users })
  const directory = await startDirectory(url)
  const { send } = client
  const bench: Bench = { send, directory, url }
  try {
    for (const kind of ['read by id', 'match by userName'] as const) {
      await compareWithBare(what, kind, bench)
    }
    await memory(what, bench)
  } finally {
    for (const child of [directory.child, client.child]) await end(child)
  }
}

async function compareWithBare(
  what: string,
  kind: Load['kind'],
  { send, directory, url }: Bench,
): Promise<void> {
  const { size } = await send(directory.port, kind, WARM_UP)
  const started = {
    [STATEMENTS]: await startScript('floor.ts', url),
    [CONSTANT]: await startScript('constant.ts', String(size)),
    [LAYER_STATEMENTS]: await startScript('floor.ts', url, 'layer'),
    [LAYER]: await startScript('constant.ts', String(size), 'layer'),
    ...(!url.startsWith('file:') && {
      [TRANSACTION]: await startScript('floor.ts', url, 'transaction'),
    }),
  }
  const servers = Object.entries<Server>({ 'the server': directory, ...started })
  try {
    for (const [, { port }] of servers) await send(port, kind, WARM_UP)
    const rates = new Map(servers.map(([name]): [string, number[]] => [name, []]))
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [name, { port }] of servers) {
        rates.get(name)?.push((await send(port, kind, REQUESTS)).perSecond)
      }
    }
    const ratesOf = (name: string): readonly number[] => rates.get(name) ?? []
    const other = median(ratesOf(CONSTANT))
    const of = `${capital(kind)} over a socket, ${size} bytes, ${what}`
    console.log(`\n${of}\n`)
    console.log('| | requests per second | ratio |\n| --- | --- | --- |')
    for (const [name, all] of rates) {
      const rate = median(all)
      console.log(`| ${name} | ${rate.toFixed(0)} | ${(rate / other).toFixed(2)} |`)
    }
    const isSqlite = url.startsWith('file:')
    const against = isSqlite ? CONSTANT : STATEMENTS
    const atLeast = isSqlite ? AT_LEAST : AT_LEAST_OF_STATEMENTS
    const noted = isSqlite ? { noted: UNREACHABLE } : {}
    const limit = { of, against, atLeast, ...noted }
    printBudget(limit, ratiosOf(ratesOf('the server'), ratesOf(against)))
  } finally {
    for (const { child } of Object.values(started)) await end(child)
  }
}

/** Prints the server process's memory after the warm-up, in the middle and at the end of a long load. */
async function memory(what: string, { send, directory }: Bench): Promise<void> {
  const measured: [when: string, bytes: number][] = [['at the start', residentOf(directory.child)]]
  for (const when of ['in the middle', 'at the end']) {
    for (const kind of ['read by id', 'match by userName'] as const) {
      await send(directory.port, kind, LONG / 4)
    }
    measured.push([when, residentOf(directory.child)])
  }
  console.log(`\nMemory of the server over ${LONG} requests, ${what}\n`)
  console.log('| | resident |\n| --- | --- |')
  for (const [when, bytes] of measured)
    console.log(`| ${when} | ${(bytes / 2 ** 20).toFixed(0)} MB |`)
}

/** Starts a server in this folder, which sends back its port. */
export async function startScript(file: string, ...options: string[]): Promise<Server> {
  const child = fork(pathOf(file), options, { execArgv: ['--conditions=@plumbline/source'] })
  const [port] = (await heardFrom(child)) as [number]
  return { port, child }
}

/** Linux's second `statm` number is the resident memory in pages of 4 KiB. */
function residentOf({ pid }: ChildProcess): number {
  return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4_096
}

function pathOf(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const UNREACHABLE = 'a `fetch` handler with only the statements does not reach it either'
const STATEMENTS = "a bare server that runs the driver's statements"
const CONSTANT = 'a bare server that answers a constant'
const LAYER_STATEMENTS = "a `fetch` handler that runs the driver's statements"
const LAYER = 'a `fetch` handler that answers a constant'
const TRANSACTION = 'a bare server that runs them in one transaction with a time limit'
