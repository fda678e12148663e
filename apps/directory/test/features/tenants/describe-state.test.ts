import { describe, expect, it } from 'vitest'
import {
  type Connection,
  describeConnection,
} from '../../../src/features/connections/pages/describe-connection.ts'
import { describeState } from '../../../src/features/tenants/pages/describe-state.ts'
import { stateOf } from '../../../src/features/tenants/tenant-state.ts'
import { DAY, MINUTE } from '../../../src/kernel/durations.ts'

const NOW = Date.parse('2026-11-22T12:00:00Z')

const exactly = (count: number) => ({ count, isExact: true })
const before = (milliseconds: number) => new Date(NOW - milliseconds).toISOString()

const USED = {
  resources: { User: exactly(228) },
  lastRequestAt: before(5 * MINUTE),
  errors: exactly(4),
  recent: { requests: 20, errors: 1 },
  webhooks: { failing: 0, stopped: 0, oldestChangeAt: null },
} as const
const WAITING: Connection['waiting'] = {
  after: '7',
  isComplete: true,
  changes: exactly(212),
  users: exactly(212),
  deleted: exactly(12),
  tokenIds: [],
  firstRequestId: null,
  lastRequestId: null,
}
const HOLD = {
  reason: 'users',
  time: before(0),
  requestId: 'r',
  groupId: null,
  groupName: null,
} as const

/** The sentence of a tenant that has these facts, and the page that follows. */
const described = (
  changed: Partial<Summary>,
  {
    connection = null,
    disabledAt = null,
    deletedAt = null,
  }: {
    readonly connection?: Connection | null
    readonly disabledAt?: string | null
    readonly deletedAt?: string | null
  } = {},
) => {
  const summary = { ...USED, ...changed }
  const { lastRequestAt, webhooks } = summary
  const state = stateOf(
    { disabled_at: numberOf(disabledAt), deleted_at: numberOf(deletedAt) },
    {
      ...summary,
      nextExpiry: null,
      connection: connection?.state ?? 'active',
      lastRequestAt: numberOf(lastRequestAt),
      webhooks: { ...webhooks, oldestChangeAt: numberOf(webhooks.oldestChangeAt) },
    },
    NOW,
  )
  const facts = { id: 'acme', disabledAt, summary: { ...summary, state } }
  const { sentence, next } = describeState(facts, connection, NOW)
  return [state, sentence, next?.href.replace('/console/tenants/acme', '') ?? null]
}
type Summary = Omit<Parameters<typeof describeState>[0]['summary'], 'state'>
const numberOf = (time: string | null) => (time === null ? null : Date.parse(time))

const ERRORS = '/requests?status=errors'

describe("a tenant's state is one sentence, and the page to open next", () => {
  it.each([
    [{}, 'healthy', 'Healthy: last request 5 min ago, 4 errors in 24 hours.', ERRORS],
    [
      { errors: exactly(1), lastRequestAt: before(MINUTE - 1) },
      'healthy',
      'Healthy: last request just now, 1 error in 24 hours.',
      ERRORS,
    ],
    [
      { errors: exactly(0), recent: { requests: 0, errors: 0 } },
      'healthy',
      'Healthy: last request 5 min ago, 0 errors in 24 hours.',
      null,
    ],
    [
      { errors: { count: 1_000, isExact: false }, recent: { requests: 20, errors: 9 } },
      'healthy',
      'Healthy: last request 5 min ago, 1,000 or more errors in 24 hours.',
      ERRORS,
    ],
    [
      { recent: { requests: 20, errors: 10 } },
      'errors',
      'Errors: 10 of the last 20 requests were rejected. The last request was 5 min ago.',
      ERRORS,
    ],
    [
      { recent: { requests: 1, errors: 1 }, lastRequestAt: before(9 * DAY), errors: exactly(0) },
      'errors',
      'Errors: the only request was rejected. The last request was 9 days ago.',
      ERRORS,
    ],
    [{ lastRequestAt: before(3 * DAY) }, 'healthy', expect.stringContaining('3 days ago'), ERRORS],
    [
      { lastRequestAt: before(3 * DAY + 1) },
      'silent',
      'Silent: last request 3 days ago.',
      '/tokens',
    ],
    [{ lastRequestAt: null }, 'waiting', 'Waiting for the first request.', '/connect'],
  ] as const)('a tenant with %j is %s', (summary, ...expected) => {
    expect(described(summary)).toEqual(expected)
  })

  it.each([
    [
      { state: 'held', hold: HOLD, waiting: WAITING },
      'Held: 212 of 240 users would lose access. 212 changes wait.',
    ],
    [
      { state: 'held', hold: { ...HOLD, reason: 'group', groupId: 'g' }, waiting: WAITING },
      'Held: the protected group g would lose its last active user. 212 changes wait.',
    ],
    [
      {
        state: 'paused',
        hold: null,
        waiting: { ...WAITING, changes: exactly(1), users: exactly(0) },
      },
      'Paused by an administrator: 1 change waits, and 0 of 240 users would lose access.',
    ],
    [
      {
        state: 'review',
        hold: null,
        waiting: { ...WAITING, changes: { count: 10_000, isExact: false } },
      },
      'In review: 10,000 or more changes wait, and 212 of 240 users would lose access.',
    ],
    [
      {
        state: 'held',
        hold: HOLD,
        waiting: {
          ...WAITING,
          changes: { count: 10_000, isExact: false },
          users: { count: 9_000, isExact: false },
          deleted: { count: 4_000, isExact: false },
        },
      },
      'Held: 9,000 or more users would lose access. 10,000 or more changes wait.',
    ],
  ] as const)(
    'a connection that is %j is more urgent than errors and webhooks',
    (connection, sentence) => {
      const summary = {
        recent: { requests: 20, errors: 20 },
        webhooks: { failing: 1, stopped: 1, oldestChangeAt: before(DAY) },
      }
      expect(described(summary, { connection })).toEqual([
        connection.state,
        sentence,
        '/connection',
      ])
    },
  )

  it.each([
    [{ failing: 1 }, 'Not delivered: 1 webhook is failing.'],
    [
      { failing: 2, stopped: 1, oldestChangeAt: before(3 * 60 * MINUTE) },
      'Not delivered: 2 webhooks are failing, 1 webhook was disabled after failures, the oldest waiting change is from 3 h ago.',
    ],
    [{ stopped: 3 }, 'Not delivered: 3 webhooks were disabled after failures.'],
    [
      { oldestChangeAt: before(10 * MINUTE + 1) },
      'Not delivered: the oldest waiting change is from 10 min ago.',
    ],
  ])('webhooks that are %j are more urgent than errors', (webhooks, sentence) => {
    const summary = {
      recent: { requests: 20, errors: 20 },
      webhooks: { ...USED.webhooks, ...webhooks },
    }
    expect(described(summary)).toEqual(['undelivered', sentence, '/webhooks'])
  })

  it('a change may wait for ten minutes', () => {
    const webhooks = { ...USED.webhooks, oldestChangeAt: before(10 * MINUTE) }
    expect(described({ webhooks })[0]).toBe('healthy')
  })

  it('a disabled tenant says so before anything else, and a tenant under deletion says only this', () => {
    const disabledAt = before(2 * 60 * MINUTE)
    const connection = { state: 'held', hold: HOLD, waiting: WAITING } as const
    expect(described({}, { connection, disabledAt })).toEqual([
      'disabled',
      'Disabled 2 h ago: its tokens are rejected.',
      '/settings',
    ])
    expect(described({}, { connection, disabledAt, deletedAt: disabledAt })).toEqual([
      'deleted',
      'Being deleted: its tokens are rejected, and its rows are deleted in the background.',
      null,
    ])
  })

  it('a user count that is only a lower limit is left out', () => {
    const connection = { state: 'held', hold: HOLD, waiting: WAITING } as const
    const many = { User: { count: 1_000_000, isExact: false } }
    const sentence = 'Held: 212 users would lose access. 212 changes wait.'
    expect([describeConnection(connection, many), describeConnection(connection)]).toEqual([
      sentence,
      sentence,
    ])
  })
})
