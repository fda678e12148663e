import { generateKeyPairSync } from 'node:crypto'
import { unwrap } from '@plumbline/result'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Store } from '../../../src/kernel/store/store.ts'
import { apiDocument } from '../../../src/shell/operations.ts'
import { EMPLOYEE_SCHEMA } from '../../contract/extensions.ts'
import { type Client, connect } from '../../support/harness.ts'

// A misspelt member that is ignored fails open: a token with `acess: read` may write.

let store: Store
let admin: Client
beforeAll(async () => {
  store = await openSqlite(':memory:')
  admin = await connect(store, { role: 'admin' })
})
afterAll(() => store.close())

const KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
/** A valid body of each operation, with every object that it may contain. */
const BODIES: Readonly<Record<string, object>> = {
  createTenant: { id: 'unknown-members', name: 'x' },
  changeTenant: { name: 'x' },
  changeConnection: { state: 'active', rule: { percent: 50 } },
  createWebhook: { url: 'https://example.com/hook' },
  changeWebhook: { enabled: true },
  rotateWebhook: { overlapSeconds: 0 },
  createToken: { tenantId: 'default', name: 'x' },
  rotateToken: { overlapSeconds: 0 },
  createClient: { name: 'x', jwks: { keys: [KEY] } },
  rotateClient: { jwks: { keys: [KEY] } },
  createSchema: EMPLOYEE_SCHEMA,
  replaceSchema: EMPLOYEE_SCHEMA,
  createSetupLink: { name: 'x' },
}
/** The bodies and objects whose standards demand that unknown members are ignored. */
const IGNORING: Readonly<Record<string, string>> = {
  createAccessToken: 'RFC 6749 §3.2',
  'createClient/jwks': 'RFC 7517 §5',
  'createClient/jwks/keys/0': 'RFC 7517 §4',
  'rotateClient/jwks': 'RFC 7517 §5',
  'rotateClient/jwks/keys/0': 'RFC 7517 §4',
  // The members of a schema resource that the server sets (RFC 7643 §3.1) are not read.
  'createSchema/meta': 'RFC 7643 §3.1',
  'replaceSchema/meta': 'RFC 7643 §3.1',
}

/** The operations that ignore unknown query parameters. */
const ANY_QUERY: Readonly<Record<string, string>> = {
  getHealth: 'probes add parameters against caches',
  getReadiness: 'probes add parameters against caches',
  getMetrics: 'Prometheus sends the parameters of its settings',
  getKeys: 'clients of other standards read it',
  getAuthorizationServer: 'RFC 8414',
  createAccessToken: 'RFC 6749 §3.2',
}

interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly hasBody: boolean
}

const operations: readonly Operation[] = Object.entries(
  unwrap(apiDocument.build()).paths ?? {},
).flatMap(([path, item]) =>
  Object.entries(item ?? {}).flatMap(([method, operation]) => {
    const { operationId: id, requestBody } = Object(operation)
    if (typeof id !== 'string') return []
    return [{ id, method: method.toUpperCase(), path, hasBody: requestBody !== undefined }]
  }),
)

it('every operation with a body has a row in this file', () => {
  const withBody = operations.filter(({ hasBody }) => hasBody).map(({ id }) => id)
  const isKnown = (id: string) => Object.hasOwn(BODIES, id) || Object.hasOwn(IGNORING, id)
  expect(withBody.filter((id) => !isKnown(id))).toEqual([])
  expect(withBody.length).toBeGreaterThan(10)
})

describe.each(operations.filter(({ id, hasBody }) => hasBody && Object.hasOwn(BODIES, id)))(
  'a body of $id with an unknown member is rejected with 422',
  ({ id, method, path }) => {
    const body = BODIES[id] ?? {}
    const places = placesIn(body, '').filter((place) => !Object.hasOwn(IGNORING, id + place))

    it.each(places)('an unknown member is rejected in the object at "%s"', async (place) => {
      const sent = withMember(body, place)
      const { status, body: answer } = await admin.send(method, filled(path), sent)
      expect({ status, issues: answer.issues }).toMatchObject({
        status: 422,
        issues: expect.arrayContaining([
          expect.objectContaining({ location: 'body', detail: expect.stringContaining(UNKNOWN) }),
        ]),
      })
    })

    it('the same body without the unknown member is valid', async () => {
      const { status } = await admin.send(method, filled(path), body)
      expect(status).not.toBe(422)
    })
  },
)

it.each(operations.filter(({ id }) => !Object.hasOwn(ANY_QUERY, id)))(
  'an unknown query parameter of $id is rejected with 422',
  async ({ id, method, path }) => {
    const { status, body } = await admin.send(method, `${filled(path)}?${UNKNOWN}=1`, BODIES[id])
    const issue = { location: 'query', detail: expect.stringContaining(UNKNOWN) }
    expect({ status, body }).toMatchObject({ status: 422, body: { issues: [issue] } })
  },
)

const UNKNOWN = 'acess'

/** Replaces the parameters of a path. Some name nothing: a body is checked first. */
function filled(path: string): string {
  return path
    .replace('{tenantId}', admin.tenantId)
    .replace('{requestNumber}', '1')
    .replace('{schemaId}', encodeURIComponent(EMPLOYEE_SCHEMA.id))
    .replaceAll(/\{\w+\}/g, crypto.randomUUID())
}

/** The JSON Pointers of all objects in a value. */
function placesIn(value: unknown, at: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([name, one]) => placesIn(one, `${at}/${name}`))
  return Array.isArray(value) ? inner : [at, ...inner]
}

/** Copies a body, with an unknown member in the object at a JSON Pointer. */
function withMember(body: object, pointer: string): object {
  const copy = structuredClone(body)
  const names = pointer.split('/').slice(1)
  Object.assign(
    names.reduce((holder: object, name) => Object(holder)[name], copy),
    { [UNKNOWN]: 'read' },
  )
  return copy
}
