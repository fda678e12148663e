import type { Change } from '@plumbline/scim/endpoint'
import { expect } from 'vitest'
import { apply, type Model } from '../../../../packages/scim/test/changes/change-model.ts'
import { numberIn } from './cursors.ts'
import type { Body } from './harness.ts'
import type { Source } from './killed-processes.ts'
import { createEventReader } from './live-events.ts'

/** The state that a consumer has written to its disk. */
export interface Kept extends Model {
  /** The cursor of the last change; null before the first page. */
  readonly cursor: string | null
  /** The resources, as the consumer has read them when they changed; without members. */
  readonly copies: ReadonlyMap<string, Body>
  /** The ids of all resources that were ever created. */
  readonly created: ReadonlySet<string>
}

/** The parts of a consumer. */
export interface ConsumerOptions {
  readonly tenantId: string
  readonly adminToken: string
  /** Any server that is running. */
  readonly source: () => Source
}

/** A consumer of a tenant's changes. */
export interface FeedConsumer {
  readonly kept: Kept
  /** How often it has lost its memory. */
  readonly crashes: number
  /** Reads some changes, and keeps them or crashes. Returns whether more follow. */
  step(): Promise<boolean>
}

/**
 * Creates a consumer that copies a tenant: it follows the feed by pages and by the stream, and reads each resource that
 * changed. It keeps its state after some steps, and continues with the kept one after a crash.
 */
export function createFeedConsumer(options: ConsumerOptions): FeedConsumer {
  let kept: Kept = {
    cursor: null,
    users: new Map(),
    groups: new Map(),
    copies: new Map(),
    created: new Set(),
  }
  let memory = structuredClone(kept)
  let crashes = 0
  const step = async (): Promise<boolean> => {
    const source = options.source()
    const isStream = Math.random() < 0.05
    const { cursor: last } = memory
    const { changes, hasMore, next } =
      isStream && last !== null
        ? await watch(options, source, last)
        : await list(options, source, last)
    if (Math.random() < 0.1) throw new Error('the consumer was killed')
    const first = (last === null ? 0 : numberIn(last)) + 1
    const numbers = changes.map(({ cursor }) => numberIn(cursor))
    expect(numbers).toEqual(changes.map((_, at) => first + at))
    apply(memory, changes as unknown as readonly Change[])
    const copies = await copy(source, memory.copies, changes)
    const born = changes.filter(({ type }) => String(type).endsWith('.created'))
    const created = new Set([...memory.created, ...born.map(({ id }) => String(id))])
    memory = { ...memory, cursor: next, copies, created }
    if (!hasMore || Math.random() < 0.5) kept = structuredClone(memory)
    return hasMore
  }
  return {
    get kept() {
      return kept
    },
    get crashes() {
      return crashes
    },
    step: async () => {
      try {
        return await step()
      } catch (error) {
        if (error instanceof Error && error.name === 'AssertionError') throw error
        crashes += 1
        memory = structuredClone(kept)
        return true
      }
    },
  }
}

interface Read {
  readonly changes: readonly Body[]
  readonly hasMore: boolean
  /** The cursor to continue with. */
  readonly next: string
}

async function list(
  { tenantId }: ConsumerOptions,
  { admin }: Source,
  after: string | null,
): Promise<Read> {
  const count = 1 + Math.floor(Math.random() * 200)
  const query = after === null ? `count=${count}` : `after=${after}&count=${count}`
  const page = await admin('GET', `/api/tenants/${tenantId}/changes?${query}`)
  expect([200, 503]).toContain(page.status)
  if (page.status === 503) throw new Error('the server is unavailable')
  const { changes = [], nextCursor, hasMore } = page.body
  expect(numberIn(nextCursor)).toBe((after === null ? 0 : numberIn(after)) + changes.length)
  return { changes, hasMore: Boolean(hasMore), next: String(nextCursor) }
}

/** Reads the stream until the server or the consumer ends it. */
async function watch(
  { tenantId, adminToken }: ConsumerOptions,
  { origin }: Source,
  after: string,
): Promise<Read> {
  const signal = AbortSignal.timeout(600)
  const headers = { Authorization: `Bearer ${adminToken}`, 'Last-Event-ID': after }
  const response = await fetch(`${origin}/api/tenants/${tenantId}/changes/live`, {
    headers,
    signal,
  })
  expect([200, 503]).toContain(response.status)
  const changes: Body[] = []
  try {
    const next = createEventReader(response)
    for (let event = await next(); event !== null; event = await next()) {
      expect(event.data.cursor).toBe(event.id)
      changes.push(event.data as unknown as Body)
    }
  } catch (error) {
    if (error instanceof Error && error.name === 'AssertionError') throw error
  }
  return { changes, hasMore: true, next: String(changes.at(-1)?.cursor ?? after) }
}

/** Reads each resource that changed, as it is now. */
async function copy(
  { scim }: Source,
  copies: ReadonlyMap<string, Body>,
  changes: readonly Body[],
): Promise<ReadonlyMap<string, Body>> {
  const copied = new Map(copies)
  for (const path of new Set(changes.map(({ resourceType, id }) => `/${resourceType}s/${id}`))) {
    const { status, body } = await scim('GET', path)
    expect([200, 404, 503]).toContain(status)
    if (status === 503) throw new Error('the server is unavailable')
    if (status === 404) copied.delete(path)
    else copied.set(path, contentOf(body))
  }
  return copied
}

/** A resource without the attributes that depend on others. */
export function contentOf(resource: Body): Body {
  const { meta: _meta, members: _members, groups: _groups, ...content } = resource
  return content as unknown as Body
}
