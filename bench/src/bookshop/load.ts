import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Loaded } from '../sockets.ts'
import type { Load } from './client.ts'
import { CONTENDERS } from './contenders.ts'
import { put } from './exchanges.ts'

const ROUNDS = 7
const WARM_UP = 5_000
const REQUESTS = 5_000

interface Server {
  readonly child: ChildProcess
  readonly port: number
  readonly path: string
}

/** Measures each bookshop's requests per second over HTTP. Their processes take turns. */
export async function compareOverHttp(): Promise<void> {
  const client = start('client.ts')
  const servers: Server[] = []
  try {
    for (const at of CONTENDERS.keys()) {
      const child = start('serve.ts', String(at))
      servers.push({ child, ...(await heardFrom<Omit<Server, 'child'>>(child)) })
    }
    const send = async ({ port, path }: Server, requests: number): Promise<number> => {
      const sent = put(path, { title: 'Emma', stock: 1 })
      client.send({ port, requests, sent } satisfies Load)
      const { milliseconds } = await heardFrom<Loaded>(client)
      return (requests / milliseconds) * 1_000
    }
    for (const server of servers) await send(server, WARM_UP)
    const rates = servers.map((): number[] => [])
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [at, server] of servers.entries()) {
        rates[at]?.push(await send(server, REQUESTS))
      }
    }
    print(rates.map(median))
  } finally {
    for (const child of [client, ...servers.map(({ child }) => child)]) await end(child)
  }
}

function print(rates: readonly number[]): void {
  const [ours = Number.NaN] = rates
  console.log('\n`PUT` of a book over HTTP, 32 connections\n')
  console.log('| | per second | ratio |\n| --- | --- | --- |')
  for (const [at, { name }] of CONTENDERS.entries()) {
    const rate = rates[at] ?? Number.NaN
    const ratio = Number((rate / ours).toPrecision(3))
    console.log(`| ${name} | ${Math.round(rate).toLocaleString('en')} | ${ratio} |`)
  }
}

function start(file: string, ...options: string[]): ChildProcess {
  const path = fileURLToPath(new URL(file, import.meta.url))
  return fork(path, options, { execArgv: ['--conditions=source'] })
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
