import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { printBudget, ratiosOf } from '../budget.ts'
import { amount } from '../short.ts'
import type { Loaded } from '../sockets.ts'
import type { Load } from './client.ts'
import { put } from './exchanges.ts'
import { SERVED } from './served.ts'

/** Two processes of one program differ by up to a tenth, as the engine compiles and places their code. */
const PROCESSES = amount(3, 1)
const ROUNDS = amount(5, 1)
const WARM_UP = amount(10_000, 50)
const REQUESTS = amount(5_000, 500)

const TITLE = '`PUT` of a book over HTTP, 32 connections'
const FASTIFY = 'Fastify with its zod provider'

interface Server {
  /** The index in `SERVED`. */
  readonly at: number
  readonly child: ChildProcess
  readonly port: number
  readonly path: string
}

interface Measured {
  /** Requests per second. */
  readonly rate: number
  /** The server's processor time for one request. */
  readonly microseconds: number
}

/**
 * Measures each bookshop's requests per second over HTTP, and its processor time. Three processes of each take turns.
 */
export async function compareOverHttp(): Promise<void> {
  const client = start('client.ts')
  const servers: Server[] = []
  try {
    for (let process = 0; process < PROCESSES; process += 1) {
      for (const at of SERVED.keys()) {
        const child = start('serve.ts', String(at))
        servers.push({ at, child, ...(await heardFrom<Omit<Server, 'at' | 'child'>>(child)) })
      }
    }
    const send = async ({ port, path, child }: Server, requests: number): Promise<Measured> => {
      const sent = put(path, { title: 'Emma', stock: 1 })
      const before = await processorTime(child)
      client.send({ port, requests, sent } satisfies Load)
      const { milliseconds } = await heardFrom<Loaded>(client)
      const used = (await processorTime(child)) - before
      return { rate: (requests / milliseconds) * 1_000, microseconds: used / requests }
    }
    for (const server of servers) await send(server, WARM_UP)
    const measured = SERVED.map((): Measured[] => [])
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const server of servers) measured[server.at]?.push(await send(server, REQUESTS))
    }
    const [ours = [], ...others] = measured
    const at = SERVED.findIndex(({ name }) => name === FASTIFY)
    const ratesOf = (rounds: readonly Measured[]) => rounds.map(({ rate }) => rate)
    print(
      measured.map((rounds) => ({
        rate: median(rounds.map(({ rate }) => rate)),
        microseconds: median(rounds.map(({ microseconds }) => microseconds)),
      })),
    )
    const limit = { of: TITLE, against: FASTIFY, atLeast: 1 }
    printBudget(limit, ratiosOf(ratesOf(ours), ratesOf(others[at - 1] ?? [])))
  } finally {
    for (const child of [client, ...servers.map(({ child }) => child)]) await end(child)
  }
}

function print(measured: readonly Measured[]): void {
  const [ours] = measured
  console.log(`\n${TITLE}\n`)
  console.log('| | per second | ratio | processor time of the server |\n| --- | --- | --- | --- |')
  for (const [at, { name }] of SERVED.entries()) {
    const { rate = Number.NaN, microseconds = Number.NaN } = measured[at] ?? {}
    const ratio = Number((rate / (ours?.rate ?? Number.NaN)).toPrecision(3))
    const time = `${microseconds.toFixed(1)} µs`
    console.log(`| ${name} | ${Math.round(rate).toLocaleString('en')} | ${ratio} | ${time} |`)
  }
}

/** The microseconds of processor time that a server has used. */
async function processorTime(child: ChildProcess): Promise<number> {
  child.send('processor time')
  const { microseconds } = await heardFrom<{ readonly microseconds: number }>(child)
  return microseconds
}

function start(file: string, ...options: string[]): ChildProcess {
  const path = fileURLToPath(new URL(file, import.meta.url))
  return fork(path, options, { execArgv: ['--conditions=@plumbline/source'] })
}

/** Waits for a child process's next message; rejects if the process exits first. */
async function heardFrom<Message>(child: ChildProcess): Promise<Message> {
  const ended = new AbortController()
  const abort = () => ended.abort()
  child.once('exit', abort)
  try {
    const [message] = await once(child, 'message', { signal: ended.signal })
    return message
  } finally {
    child.off('exit', abort)
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill()
  await ended
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}
