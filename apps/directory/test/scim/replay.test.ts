import { describe, expect, it } from 'vitest'
import type { Answer, Client } from '../support/harness.ts'
import { differences, type Run, readRuns, replay } from '../support/replay.ts'

describe('a recorded run', () => {
  it('exists for every provider', () => {
    expect([...readRuns().keys()]).toEqual([
      'entra-aadOptscim062020',
      'entra-custom-extension',
      'entra-legacy',
      'generic',
      'jumpcloud',
      'okta-custom-attribute',
      'okta-patch',
      'okta-put',
      'onelogin',
      'ping',
    ])
  })

  it.each([
    ['another status', { status: 201 }, /^mine, step "look":\n {2}the status is 200, not 201/],
    ['another value', { status: 200, body: { id: 'b' } }, /\/id is "a", not "b"/],
    ['a value that must not be there', { status: 200, body: { id: null } }, /\/id must be absent/],
    ['another header', { status: 200, headers: { etag: '"2"' } }, /etag is "1", not "2"/],
    ['a name without a saved value', { status: 200, body: { id: '{{other}}' } }, /saved as other/],
  ])('fails for %s, and names the run and the step', async (_, wanted, message) => {
    await expect(replay('mine', runOf(wanted), against({ id: 'a' }))).rejects.toThrow(message)
  })

  it('saves values for the following steps', async () => {
    const run = runOf({ status: 200, body: { id: '{{id}}', at: '{{base}}/{{id}}' } }, { id: '/id' })
    const body = { id: 'a', at: 'http://here/a' }
    await expect(replay('mine', run, against(body))).resolves.toBeUndefined()
    const missing = runOf({ status: 200 }, { id: '/list/0/id' })
    await expect(replay('mine', missing, against(body))).rejects.toThrow(
      /no string at \/list\/0\/id/,
    )
  })
})

describe('the differences of JSON values', () => {
  it.each([
    [{ a: 1, b: 2 }, { a: 1 }],
    [{ a: 1 }, { a: 1, b: null }],
    [
      [{ a: 1 }, { a: 2 }],
      [{ a: 2 }, { a: 1 }],
    ],
  ])('are empty between %j and %j', (actual, expected) => {
    expect(differences(actual, expected)).toEqual([])
  })

  it.each([
    [{ a: 1 }, { a: '1' }],
    [undefined, { a: 1 }],
    [[1, 2], [1]],
    [
      [1, 1],
      [1, 2],
    ],
    [{ a: 1 }, [1]],
    [{ a: false }, { a: null }],
  ])('are not empty between %j and %j', (actual, expected) => {
    expect(differences(actual, expected)).toHaveLength(1)
  })
})

function runOf(expected: Run['steps'][number]['expect'], save?: Record<string, string>): Run {
  const request = { method: 'GET', path: '/Users/a', body: undefined } as const
  const step = { name: 'look', request, expect: expected, ...(save ? { save } : {}) }
  return { profile: 'standard', source: 'none', steps: [step] }
}

function against(body: object): { send: Client['send']; base: string } {
  const headers = new Headers({ ETag: '"1"' })
  const answer = { status: 200, headers, body: body as unknown as Answer['body'] }
  return { send: async () => answer, base: 'http://here' }
}
