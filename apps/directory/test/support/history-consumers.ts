import { expect } from 'vitest'
import type { Client } from './harness.ts'
import { createEventReader } from './live-events.ts'
import type { ReceivedMessage } from './webhook-receiver.ts'

/** The changes that consumers have received, by name: a name must never belong to two changes. */
export interface Names {
  /** Adds a change; fails if the name belongs to another one. */
  add(name: string, change: unknown): void
}

/** Creates an empty list of names. */
export function createNames(): Names {
  const changes = new Map<string, string>()
  return {
    add: (name, change) => {
      const text = JSON.stringify(change)
      expect(changes.get(name) ?? text).toBe(text)
      changes.set(name, text)
    },
  }
}

/** A consumer that continues after its last cursor, by pages or by the stream. */
export interface Reader {
  read(client: Client): Promise<void>
  /** The cursors that it has received since it copied the tenant. */
  readonly received: ReadonlySet<string>
  /** After this cursor, it must have received everything. */
  readonly start: string
}

/** Creates a consumer of the pages of the feed, or of its stream. */
export function createReader(names: Names, kind: 'pages' | 'stream'): Reader {
  let cursor: string | null = null
  let start = ''
  const received = new Set<string>()
  const copy = async (client: Client): Promise<string> => {
    const { body } = await client.send('GET', `${pathOf(client)}?after=newest`)
    start = String(body.nextCursor)
    received.clear()
    return start
  }
  const readPage = kind === 'pages' ? readPages : readStream
  return {
    read: async (client) => {
      cursor ??= await copy(client)
      const page = await readPage(client, cursor)
      if (page === null) {
        cursor = await copy(client)
        return
      }
      for (const change of page) {
        cursor = String(change.cursor)
        expect(received).not.toContain(cursor)
        received.add(cursor)
        names.add(`feed ${cursor}`, change)
      }
    },
    received,
    get start() {
      return start
    },
  }
}

type Changes = readonly Readonly<Record<string, unknown>>[]

async function readPages(client: Client, cursor: string): Promise<Changes | null> {
  const changes = []
  for (let after = cursor; ; ) {
    const page = await client.send('GET', `${pathOf(client)}?after=${after}&count=2`)
    if (page.status === 410) return null
    changes.push(...(page.body.changes ?? []))
    after = String(page.body.nextCursor)
    if (!page.body.hasMore) return changes
  }
}

/** Reads the stream as far as the pages show that there is something to read. */
async function readStream(client: Client, cursor: string): Promise<Changes | null> {
  const expected = await readPages(client, cursor)
  const headers = { Authorization: `Bearer ${client.adminToken}`, 'Last-Event-ID': cursor }
  const path = `http://localhost${pathOf(client)}/live`
  const ending = new AbortController()
  const { signal } = ending
  const response = await client.directory.fetch(new Request(path, { headers, signal }))
  expect(response.status).toBe(expected === null ? 410 : 200)
  if (expected === null || expected.length === 0) {
    ending.abort()
    return expected
  }
  const next = createEventReader(response)
  const changes = []
  for (let at = 0; at < expected.length; at += 1) changes.push((await next())?.data ?? {})
  ending.abort()
  expect(changes).toEqual(expected)
  return changes
}

/** Returns the id of a message and what it says. */
export function messageOf(message: ReceivedMessage): {
  readonly id: string
  readonly said: unknown
} {
  if (message.id !== '') return { id: message.id, said: message.body }
  const [, claims = ''] = message.text.split('.')
  const said = JSON.parse(Buffer.from(claims, 'base64url').toString())
  return { id: String(said.jti), said }
}

function pathOf({ tenantId }: Client): string {
  return `/api/tenants/${tenantId}/changes`
}
