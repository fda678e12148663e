import { expect } from 'vitest'
import type { Client } from './harness.ts'
import { patch } from './two-processes.ts'
import { type ReceivedMessage, startReceiver } from './webhook-receiver.ts'

type Send = Client['send']

/** The users that a consumer has copied, and whether each is active. */
type Copy = Map<string, boolean>

/** A tenant with consumers of each kind, which do what docs/api.md tells them. */
export interface Consumers {
  /** Waits until the webhooks have delivered everything, and expects the state of the tenant in each copy. */
  expectState(send: Send): Promise<void>
  /** Returns the status of a stream that continues after the last change that the feed's consumer has read. */
  statusOfStream(origin: string, token: string): Promise<number>
  close(): void
}

/** Creates consumers of the tenant `default`, whose deactivations are not delayed. */
export async function createConsumers(send: Send): Promise<Consumers> {
  const rule = { delay: 0, least: 1_000_000 }
  await send('PATCH', '/api/tenants/default/connection', { rule })
  const hooks = [await createHook(send, 'standard'), await createHook(send, 'set')]
  const feed = createFeed()
  await feed.read(send)
  for (const hook of hooks) await hook.copy(send)
  return {
    expectState: async (from) => {
      const expected = await copyOf(from)
      const process = async () => {
        for (const hook of hooks) await hook.process(from)
        return hooks.map(({ users }) => sorted(users()))
      }
      await feed.read(from)
      expect(sorted(feed.users())).toEqual(sorted(expected))
      const all = hooks.map(() => sorted(expected))
      await expect.poll(process, { timeout: 60_000, interval: 200 }).toEqual(all)
    },
    statusOfStream: async (origin, token) => {
      const headers = { Authorization: `Bearer ${token}`, 'Last-Event-ID': feed.cursor() }
      const response = await fetch(`${origin}/api/tenants/default/changes/live`, { headers })
      await response.body?.cancel()
      return response.status
    },
    close: () => {
      for (const { close } of hooks) close()
    },
  }
}

/** Creates some users, and returns their ids. */
export async function createUsers(send: Send, count: number): Promise<readonly string[]> {
  const ids: string[] = []
  for (let at = 0; at < count; at += 1) {
    const { status, body } = await send('POST', '/Users', { userName: crypto.randomUUID() })
    expect(status).toBe(201)
    ids.push(String(body.id))
  }
  return ids
}

/** Deactivates a user. */
export async function deactivate(send: Send, id: string | undefined): Promise<void> {
  const value = patch({ op: 'replace', path: 'active', value: false })
  expect((await send('PATCH', `/Users/${id}`, value)).status).toBe(200)
}

/** A consumer that reads the feed by its cursor. */
function createFeed() {
  let users: Copy = new Map()
  let cursor: string | null = null
  const read = async (send: Send): Promise<void> => {
    for (;;) {
      const path = '/api/tenants/default/changes'
      const page = cursor === null ? null : await send('GET', `${path}?after=${cursor}&count=3`)
      if (page === null || page.status === 410) {
        cursor = String((await send('GET', `${path}?after=newest`)).body.nextCursor)
        users = await copyOf(send)
        continue
      }
      expect(page.status).toBe(200)
      for (const change of page.body.changes ?? [])
        apply(users, { type: change.type, id: change.id })
      cursor = String(page.body.nextCursor)
      if (!page.body.hasMore) return
    }
  }
  return { read, users: () => users, cursor: () => cursor ?? '' }
}

/** A receiver that ignores messages that it knows, and copies the tenant if the epoch is another one. */
async function createHook(send: Send, format: 'standard' | 'set') {
  const status = format === 'set' ? 202 : 204
  const { accepted, url, close } = await startReceiver((_, response) =>
    response.writeHead(status).end(),
  )
  const audience = format === 'set' ? 'app' : null
  const created = await send('POST', '/api/tenants/default/webhooks', { url, format, audience })
  expect(created.status).toBe(201)
  let users: Copy = new Map()
  let epoch: string | null = null
  const known = new Set<string>()
  const process = async (from: Send): Promise<void> => {
    for (const message of accepted.splice(0)) {
      const { id, change } = format === 'set' ? ofToken(message) : ofMessage(message)
      if (known.has(id)) continue
      known.add(id)
      apply(users, change)
      const own = /[a-z0-9]{8}(?=[.-]\d+$)/.exec(id)?.[0] ?? ''
      if (epoch !== null && own !== epoch) users = await copyOf(from)
      epoch = own
    }
  }
  const copy = async (from: Send): Promise<void> => {
    users = await copyOf(from)
  }
  return { process, copy, close, users: () => users }
}

function ofMessage({ id, body }: ReceivedMessage) {
  return { id, change: { type: String(body.data?.type), id: String(body.data?.id) } }
}

function ofToken({ text }: ReceivedMessage) {
  const [, claims = ''] = text.split('.')
  const { jti, sub_id, events } = JSON.parse(Buffer.from(claims, 'base64url').toString())
  const [event = ''] = Object.keys(events)
  const types: Readonly<Record<string, string>> = {
    'create:notice': 'user.created',
    deactivate: 'user.deactivated',
    delete: 'user.deleted',
  }
  const type = types[event.slice('urn:ietf:params:scim:event:prov:'.length)] ?? event
  return { id: String(jti), change: { type, id: String(sub_id.uri).slice('/Users/'.length) } }
}

function apply(users: Copy, { type, id }: { readonly type: unknown; readonly id: unknown }): void {
  if (type === 'user.created') users.set(String(id), true)
  if (type === 'user.deactivated') users.set(String(id), false)
  if (type === 'user.deleted') users.delete(String(id))
}

async function copyOf(send: Send): Promise<Copy> {
  const { body } = await send('GET', '/Users?count=1000&attributes=active')
  return new Map(
    (body.Resources ?? []).map(({ id, active }) => [String(id), String(active) !== 'false']),
  )
}

function sorted(users: Copy) {
  return [...users].sort(([one], [other]) => (one < other ? -1 : 1))
}
