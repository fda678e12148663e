import { describe, expect, it } from 'vitest'
import { isBinding } from '../../src/lib/check.ts'
import { answers, type Body, replies } from '../fault.ts'
import { examineAll } from '../prove.ts'
import { createReference, type Fetch } from '../reference.ts'
import { all, rejects } from './variant.ts'

const summary = async (fetch: Fetch, only?: readonly string[]) => {
  const { outcomes, left } = await examineAll(fetch, null, { only })
  const failed = outcomes.filter(({ status }) => status === 'failed')
  const count = (status: string) => outcomes.filter((one) => one.status === status).length
  return {
    must: failed.filter(({ level }) => isBinding(level)).map(({ id }) => id),
    passed: count('passed'),
    blocked: count('blocked'),
    left,
    outcomes,
  }
}

describe('a server that rejects', () => {
  it('a rejected second address is examined with one address', async () => {
    const isSecond = ({ body }: { body: Body }) => (body?.emails?.length ?? 0) > 1
    const change = all(
      ...['POST /Users', 'PUT /Users/:id'].map((route) =>
        replies(route, (sent) => (isSecond(sent) ? rejects(400, 'invalidValue') : null)),
      ),
    )
    const { must, blocked, passed } = await summary(change(createReference()), ['filters'])
    expect({ must, blocked }).toStrictEqual({ must: [], blocked: 0 })
    expect(passed).toBeGreaterThan(30)
  })

  it('a rejected DELETE leaves few resources, and the report says why nothing more was created', async () => {
    const change = replies('DELETE *', () => rejects(403))
    const { left, outcomes } = await summary(change(createReference()), ['create', 'groups'])
    expect(left.length).toBeGreaterThan(0)
    expect(left.length).toBeLessThan(4)
    const reasons = outcomes.map(({ reason }) => reason ?? '')
    expect(reasons.some((one) => one.includes('so nothing more is created'))).toBe(true)
  })

  it('rejected writes without If-Match leave nothing, and one practice check says so', async () => {
    const change = all(
      ...['PUT', 'PATCH', 'DELETE'].map((method) =>
        replies(`${method} *`, ({ headers }) =>
          headers.get('If-Match') === null ? rejects(428) : null,
        ),
      ),
    )
    const { must, left, outcomes } = await summary(change(createReference()), [
      'create',
      'delete',
      'concurrency.optional',
    ])
    expect({ must, left }).toStrictEqual({ must: [], left: [] })
    const failed = outcomes.filter(({ status }) => status === 'failed').map(({ id }) => id)
    expect(failed).toStrictEqual(['concurrency.optional'])
  })

  it('rejecting every creation with 503 is not reported as a broken rule', async () => {
    const change = answers('POST /Users', (answer) => {
      answer.status = 503
    })
    const { must, outcomes } = await summary(change(createReference()), ['create.user'])
    expect(must).toStrictEqual([])
    expect(outcomes.map(({ status }) => status)).toStrictEqual(['unanswered'])
  })

  it.each([403, 404, 405, 501])(
    "rejecting a custom type's creation with %i does not have a finding",
    async (status) => {
      const change = replies('POST /Devices', () => rejects(status))
      const { outcomes } = await summary(change(createReference()), [
        'stored',
        'create',
        'declared',
      ])
      const failed = outcomes.filter((one) => /^(failed|broken)$/.test(one.status))
      expect(failed.map(({ id }) => id)).toStrictEqual([])
    },
  )

  it('rejecting the path to primary in a value breaks no rule', async () => {
    const change = replies('PATCH *', ({ body }) =>
      /"path":"[^"]*\[.*\]\.primary"/.test(JSON.stringify(body))
        ? rejects(400, 'invalidPath')
        : null,
    )
    const { outcomes } = await summary(change(createReference()), ['patch-replace'])
    expect(outcomes.filter(({ status }) => status === 'failed')).toStrictEqual([])
    const primary = outcomes.find(({ id }) => id === 'patch-replace.primary')
    expect(primary?.status).toBe('skipped')
  })

  it('rejecting PATCH paths with a filter breaks no MUST, and is found', async () => {
    const change = replies('PATCH *', ({ body }) =>
      /"path":"[^"]*\[/.test(JSON.stringify(body)) ? rejects(400, 'invalidPath') : null,
    )
    const { outcomes } = await summary(change(createReference()), [
      'patch-add',
      'patch-replace',
      'patch-remove',
    ])
    const failed = outcomes.filter(({ status }) => status === 'failed')
    expect(failed.filter(({ level }) => level === 'MUST').map(({ id }) => id)).toStrictEqual([])
    expect(failed.map(({ id }) => id)).toContain('patch-replace.value-path-sub-attribute')
    const primary = outcomes.find(({ id }) => id === 'patch-replace.primary')
    expect(primary?.status).toBe('blocked')
  })
})
