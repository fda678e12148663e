import { generateTests } from '@plumbline/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Store } from '../../../src/kernel/store/store.ts'
import { apiDocument } from '../../../src/shell/operations.ts'
import { type Client, connect, PATIENT } from '../../support/harness.ts'

const isWhole = process.env.PLUMBLINE_GENERATED === 'whole'
let store: Store
let admin: Client
let sent = 0
/** The reasons for which valid requests were rejected, and broken ones too. */
const reasons = new Set<string>()
let isValid = false

beforeAll(async () => {
  store = await openSqlite(':memory:', PATIENT)
  admin = await connect(store, { role: 'admin', heartbeat: 0 })
})
afterAll(() => store.close())

const fetch = async (request: Request): Promise<Response> => {
  sent += 1
  const response = await admin.directory.fetch(request)
  if (isValid && response.status === 422) {
    const { issues } = await response.clone().json()
    for (const { detail } of issues) reasons.add(detail)
  }
  return response
}

/** The rules that JSON Schema cannot express, whose operations name the problem `invalid`. */
const NOT_IN_THE_DOCUMENT = [
  'must be in the future',
  'must be the URN in the path',
  'is duplicated, perhaps in another letter case',
  'is not a valid public key',
  'n and e must be numbers in base64url without zeros at the start',
  'n must be an odd number of 2,048 to 4,096 bits',
  'e must be an odd number of at least 3',
  'is not the id of a group',
  'is not the id of a user',
  'must be an absolute URL',
  'must start with https://',
  'must not contain credentials',
  'must not contain a fragment',
  'must not be a private address',
]

describe('the management API answers generated requests as its document says', () => {
  const tests = generateTests(
    { document: apiDocument, fetch },
    {
      seed: 7,
      runs: isWhole ? 60 : 5,
      credentials: async () => {
        const { status, body } = await admin.send('POST', '/api/clients', {
          tenantId: admin.tenantId,
          name: 'generated',
        })
        expect(status).toBe(201)
        const client = { username: String(body.id), password: String(body.secret) }
        const token = await admin.send('POST', '/api/tokens', { name: 'generated', role: 'admin' })
        return { token: String(token.body.token), client }
      },
      setup: async () => {
        const created = await admin.send('POST', '/Groups', { displayName: 'a' })
        return { groupId: String(created.body.id) }
      },
    },
  )
  for (const { name, run } of tests) {
    it(name, async () => {
      isValid = name.endsWith('valid requests get a declared answer')
      await run()
    })
  }

  it('valid requests are rejected only for rules JSON Schema cannot express', () => {
    expect([...reasons].filter((reason) => !NOT_IN_THE_DOCUMENT.includes(reason))).toEqual([])
    expect(sent).toBeGreaterThan(isWhole ? 2_000 : 800)
  })
})
