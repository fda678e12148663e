import { readFileSync } from 'node:fs'
import { printBudget, ratiosOf } from '../budget.ts'
import { amount } from '../short.ts'
import type { Load } from './client.ts'
import { end, type Server, startClient, startDirectory } from './processes.ts'
import type { Seeded } from './seeded.ts'

const ROUNDS = amount(11, 1)
const WARM_UP = amount(5_000, 50)
const REQUESTS = amount(8_000, 1_000)
const LONG = amount(100_000, 100)

/** Two databases with the same users, or the same database twice: on SQLite, only one process may write. */
export interface Pair {
  readonly on: Seeded
  readonly off: Seeded
}

/** Compares the requests per second with the provisioning log and without it, on two servers. */
export async function logged(what: string, { on, off }: Pair): Promise<void> {
  const servers = {
    [WITH]: { seeded: on, server: await startDirectory(on.url) },
    [WITHOUT]: {
      seeded: off,
      server: await startDirectory(off.url, { REQUEST_LOG_ROWS: '0' }),
    },
  }
  const contenders = Object.entries(servers).map(([name, { seeded, server }]) => {
    return { name, server, client: startClient(seeded) }
  })
  try {
    for (const kind of ['read by id', 'match by userName'] as const) {
      await compare(`${kind}, ${what}`, kind, contenders)
    }
    const [first] = contenders
    if (first !== undefined) await memory(what, first)
  } finally {
    for (const { server, client } of contenders) {
      await end(server.child)
      await end(client.child)
    }
  }
}

interface Contender {
  readonly name: string
  readonly server: Server
  readonly client: ReturnType<typeof startClient>
}

async function compare(
  title: string,
  kind: Load['kind'],
  contenders: readonly Contender[],
): Promise<void> {
  const rates = new Map(contenders.map(({ name }): [string, number[]] => [name, []]))
  const times = new Map(contenders.map(({ name }): [string, number[]] => [name, []]))
  for (const { server, client } of contenders) await client.send(server.port, kind, WARM_UP)
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { name, server, client } of contenders) {
      const before = processorTimeOf(server)
      rates.get(name)?.push((await client.send(server.port, kind, REQUESTS)).perSecond)
      times.get(name)?.push((processorTimeOf(server) - before) / REQUESTS)
    }
  }
  const ratesOf = (name: string): readonly number[] => rates.get(name) ?? []
  const timesOf = (name: string): readonly number[] => times.get(name) ?? []
  console.log(`\nThe provisioning log: ${title}\n`)
  console.log('| | requests per second | processor time per request |\n| --- | --- | --- |')
  for (const { name } of contenders) {
    const microseconds = (median(timesOf(name)) * 1_000).toFixed(0)
    console.log(`| ${name} | ${median(ratesOf(name)).toFixed(0)} | ${microseconds} µs |`)
  }
  const of = `The provisioning log: ${title}`
  printBudget({ of, against: WITHOUT, atLeast: 0.9 }, ratiosOf(ratesOf(WITH), ratesOf(WITHOUT)))
  const ofTime = `${of}, processor time of the server`
  printBudget(
    { of: ofTime, against: WITHOUT, atMost: 1.1 },
    ratiosOf(timesOf(WITH), timesOf(WITHOUT)),
  )
}

/** Fields 14 and 15 in Linux's `stat` are the times in user and in system mode, in ticks of 10 ms. */
function processorTimeOf({ child }: Server): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Measures the memory under a long load, on the server with the log. */
async function memory(what: string, { server, client }: Contender): Promise<void> {
  const measured: [when: string, bytes: number][] = [['at the start', residentOf(server)]]
  for (const when of ['in the middle', 'at the end']) {
    await client.send(server.port, 'match by userName', LONG / 2)
    measured.push([when, residentOf(server)])
  }
  console.log(`\nMemory of the server with the log over ${LONG} requests, ${what}\n`)
  console.log('| | resident |\n| --- | --- |')
  for (const [when, bytes] of measured)
    console.log(`| ${when} | ${(bytes / 2 ** 20).toFixed(0)} MB |`)
}

/** Linux's second `statm` number is the resident memory in pages of 4 KiB. */
function residentOf({ child }: Server): number {
  return Number(readFileSync(`/proc/${child.pid}/statm`, 'utf8').split(' ')[1]) * 4_096
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

const WITH = 'with the log'
const WITHOUT = 'without the log'
