import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import { expect } from 'vitest'
import { randomWrites, requestOf } from '../../../../packages/scim/test/changes/random-writes.ts'
import { stateOf } from '../support/consumed-state.ts'
import { createFeedConsumer, type FeedConsumer } from '../support/feed-consumer.ts'
import {
  createKilledProcesses,
  type KilledProcesses,
  type Source,
} from '../support/killed-processes.ts'
import type { Processes } from '../support/two-processes.ts'

/** A history of writes during which servers and a consumer are killed. */
export interface KilledHistory {
  readonly writes: number
  /** Servers are killed after about so many writes. */
  readonly every: number
  /** Runs a statement in the database. */
  readonly run: (statement: string) => Promise<unknown>
}

/**
 * Sends random writes to two processes while these and a consumer are killed at random points, and expects the final state
 * of the tenant in the consumer.
 */
export async function expectNothingMissed(
  processes: Processes,
  { writes, every, run }: KilledHistory,
): Promise<void> {
  const tenantId = 'killed'
  const { adminToken } = processes
  const { token } = await processes.tenantOf(tenantId)
  // A deactivation waits for a second. The rule holds nothing.
  const rule = { percent: 100, least: 1e9, minutes: 1, delay: 1, protectedGroups: [] }
  await run(
    `update change_feeds set rule = '${JSON.stringify(rule)}' where tenant_id = '${tenantId}'`,
  )
  const killed = createKilledProcesses(processes, token)
  const { source } = killed
  const progress: Progress = { answered: 0, created: new Set(), isOver: false }
  const consumer = createFeedConsumer({ tenantId, adminToken, source })
  const tasks = [
    writeRandomly(source, writes, progress),
    killSometimes(killed, every, progress),
    consume(consumer, progress),
  ]
  try {
    // The first that ends or fails ends the others.
    await Promise.race(tasks).finally(() => {
      progress.isOver = true
    })
    await Promise.all(tasks)
    await setTimeout(rule.delay * 1_000)
    while (await consumer.step());
    const { users, groups, copies, created } = consumer.kept
    expect({ users, groups, copies }).toEqual(await stateOf(source()))
    expect([...progress.created].filter((id) => !created.has(id))).toEqual([])
    expect(progress.answered).toBeGreaterThanOrEqual(writes)
    expect(Math.min(killed.kills, consumer.crashes, progress.created.size)).toBeGreaterThan(0)
  } finally {
    await Promise.allSettled(tasks)
    await killed.stop()
  }
}

interface Progress {
  answered: number
  /** The resources whose creation was acknowledged. */
  readonly created: Set<string>
  isOver: boolean
}

/** Sends writes from six clients. A write without an answer is repeated. */
async function writeRandomly(
  source: () => Source,
  count: number,
  progress: Progress,
): Promise<void> {
  const names = Array.from({ length: PLACES }, (_, at) => `name-${at}`)
  const history = fc.sample(randomWrites({ names, places: PLACES }), count)
  const ids: string[] = []
  const send = async (request: ReturnType<typeof requestOf>): Promise<void> => {
    const answer = await source()
      .scim(...request)
      .catch(() => null)
    if (progress.isOver) return
    if (answer === null || answer.status === 503) {
      await setTimeout(20)
      return await send(request)
    }
    const { status, body } = answer
    expect(status).toBeLessThan(500)
    progress.answered += 1
    if (status === 204) ids.splice(ids.indexOf(request[1].split('/')[2] ?? ''), 1)
    if (status !== 201) return
    ids.push(String(body.id))
    progress.created.add(String(body.id))
  }
  const work = async (): Promise<void> => {
    for (let write = history.pop(); write && !progress.isOver; write = history.pop()) {
      await send(requestOf(write, ids))
    }
  }
  await Promise.all(Array.from({ length: 6 }, work))
}

/** Kills servers after so many writes, on average. */
async function killSometimes(
  killed: KilledProcesses,
  every: number,
  progress: Progress,
): Promise<void> {
  for (let next = every; ; next += every) {
    const wanted = next + Math.floor((Math.random() - 0.5) * every)
    while (progress.answered < wanted) {
      if (progress.isOver) return
      await setTimeout(1)
    }
    await killed.kill()
  }
}

async function consume({ step }: FeedConsumer, progress: Progress): Promise<void> {
  while (!progress.isOver) if (!(await step())) await setTimeout(10)
}

/** How many resources the writes address, and how many names they use. */
const PLACES = 60
