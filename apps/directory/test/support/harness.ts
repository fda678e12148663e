import { type ContractRecorder, createContractRecorder } from '@plumbline/contract'
import { vitestRunner } from '@plumbline/contract/vitest'
import * as vitest from 'vitest'
import { afterAll, expect } from 'vitest'
import { createDirectory, type Directory, type DirectoryOptions } from '../../src/app.ts'
import { createTenant } from '../../src/features/tenants/store.ts'
import { type Access, createToken, type Role } from '../../src/kernel/access/token-store.ts'
import type { Profile } from '../../src/kernel/profiles.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { apiDocument } from '../../src/shell/operations.ts'

/**
 * Checks every exchange with the management API in a test file against the document of the API. The reporter in
 * `vitest.config.ts` merges the reports of all files.
 */
export let recorder = createRecorder()

/** Starts the record of another test file, because a record belongs to one: see `vitestRunner`. */
export function startRecord(): void {
  recorder = createRecorder()
}

function createRecorder(): ContractRecorder {
  const created = createContractRecorder(apiDocument, { runner: vitestRunner(vitest) })
  afterAll(() => {
    expect(created.violations()).toEqual([])
  })
  return created
}

/** A directory with a tenant of its own, so that tests on one database are independent. */
export interface Client {
  readonly directory: Directory
  readonly store: Store
  readonly tenantId: string
  readonly token: string
  /** The token that requests to the management API use. */
  readonly adminToken: string
  /** Sends a request to a path below `/scim/v2`, or to one of the whole server. */
  send(method: string, path: string, body?: unknown, headers?: HeadersInit): Promise<Answer>
}

/** An answer with its body read. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** Undefined without a body. */
  readonly body: Body
}

/** A JSON body, typed as deeply as the tests read it. */
export type Body = { readonly [name: string]: Body } & readonly Body[]

/** Options of a store whose scans are not stopped on a slow machine. Tests of the time limit set their own. */
export const PATIENT = { scanTimeout: 30 * 60_000 }

let count = 0

/**
 * Creates a tenant and a token on a database, and a client that uses the token. Clients without options of the directory
 * and without a given tenant share a directory.
 */
export async function connect(
  store: Store,
  options: Omit<DirectoryOptions, 'store'> & {
    readonly profile?: Profile
    /** With `admin`, requests to the management API use a second token, that of an administrator. */
    readonly role?: Role
    readonly userId?: string
    readonly tenantId?: string
    readonly expiresAt?: number
    readonly access?: Access
  } = {},
): Promise<Client> {
  const { profile = 'standard', role = 'client', userId = null, ...others } = options
  const { expiresAt = null, access = 'write', tenantId: _, ...rest } = others
  count += 1
  const tenantId = options.tenantId ?? `tenant-${count}-${crypto.randomUUID().slice(0, 8)}`
  const now = Date.now()
  const base = { name: 'test', now }
  const { token, admin } = await store.write(async (db) => {
    if (options.tenantId === undefined) {
      await createTenant(db, { id: tenantId, name: 'Test', created_at: now })
    }
    const limits = { expiresAt, access }
    const client = { ...base, tenantId, role: 'client', profile, userId, ...limits } as const
    const own = await createToken(db, client)
    if (role === 'client') return { token: own.text, admin: own.text }
    const added = await createToken(db, { ...base, tenantId: null, role, profile: 'standard' })
    return { token: own.text, admin: added.text }
  })
  const isShared = options.tenantId === undefined && Object.keys(rest).length === 0
  const directory = isShared ? sharedDirectory(store) : newDirectory({ ...rest, store })
  const [toScim, toApi] = [sender(directory, token), sender(directory, admin)]
  const send: Client['send'] = (method, path, ...more) =>
    (isOfServer(path) ? toApi : toScim)(method, path, ...more)
  return { directory, store, tenantId, token, adminToken: admin, send }
}

function newDirectory(options: DirectoryOptions): Directory {
  return createDirectory({ now: ticking(), ...options, apiMiddleware: recorder.middleware })
}

/** The directory of all tenants without options of their own, because each takes milliseconds to create. */
function sharedDirectory(store: Store): Directory {
  const known = shared.get(store)
  if (known !== undefined) return known
  const created = newDirectory({ store })
  shared.set(store, created)
  return created
}

const shared = new WeakMap<Store, Directory>()

/** A clock that never returns a millisecond twice, so that resources are listed as they were created. */
function ticking(): () => number {
  let last = 0
  return () => {
    last = Math.max(last + 1, Date.now())
    return last
  }
}

/** Whether a path is one of the management API; any other is below the SCIM endpoint. */
function isOfServer(path: string): boolean {
  return /^\/(?:api|metrics|[.]well-known)\b/.test(path)
}

/** Sends requests with a token. */
export function sender(directory: Pick<Directory, 'fetch'>, token: string): Client['send'] {
  return async (method, path, body, headers = {}) => {
    const url = isOfServer(path) ? path : `/scim/v2${path}`
    const sent = new Headers(headers)
    if (!sent.has('Authorization')) sent.set('Authorization', `Bearer ${token}`)
    if (body !== undefined && !sent.has('Content-Type')) {
      sent.set('Content-Type', isOfServer(path) ? 'application/json' : 'application/scim+json')
    }
    const response = await directory.fetch(
      new Request(`http://localhost${url}`, {
        method,
        headers: sent,
        body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
      }),
    )
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
  }
}

/** A problem of the management API (RFC 9457). */
export function problem(status: number, slug: string) {
  return { status, body: { type: `https://plumbline.example/problems/${slug}`, status } }
}
