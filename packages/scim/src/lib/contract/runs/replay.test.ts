import { describe, expect, it } from 'vitest'
import { GROUP_DEFINITION, USER_DEFINITION } from '../../schema/core-schemas.ts'
import type { Answer, Sent } from '../client.ts'
import type { Adapt } from '../world.ts'
import { ENTRA } from './entra.ts'
import { OKTA } from './okta.ts'
import { replay } from './replay.ts'
import type { Step } from './run.ts'

const users = {
  ...{ name: 'User', endpoint: '/People' },
  definitions: { [USER_DEFINITION.id]: USER_DEFINITION },
}
const groups = {
  ...{ name: 'Group', endpoint: '/Teams' },
  definitions: { [GROUP_DEFINITION.id]: GROUP_DEFINITION },
}

const PATCH = {
  Operations: [
    { op: 'replace', path: 'title', value: 'b' },
    { op: 'replace', path: 'unknown', value: 'b' },
  ],
}

/** Plays steps against a server that answers with the sent body and the id 7; returns what it received. */
async function play(
  steps: readonly Partial<Step>[],
  { adapt = (body) => body, answer = {}, withGroups = true }: Partial<Played> = {},
): Promise<readonly (readonly [string, string, unknown])[]> {
  const received: [string, string, unknown][] = []
  const send = async (method: Sent['method'], path: string, body?: unknown): Promise<Answer> => {
    received.push([method, path, body])
    const sent = { method, path, body }
    const own = { ...Object(body), id: '7' }
    return { sent, status: 200, headers: new Headers(), fault: undefined, body: own, ...answer }
  }
  const whole = steps.map((step): Step => {
    return { name: 'step', method: 'POST', path: '{{users}}', status: 200, ...step }
  })
  const stage = { send, users, groups: withGroups ? groups : null, adapt }
  await replay({ name: 'Test', profile: 'okta', steps: whole }, stage)
  return received
}

interface Played {
  readonly adapt: Adapt
  readonly answer: Partial<Answer>
  readonly withGroups: boolean
}

describe('a run', () => {
  it('is sent to the endpoints of users and groups, with the ids that it saved', async () => {
    const steps: Partial<Step>[] = [
      { body: { userName: 'a' }, save: 'ann' },
      { path: '{{groups}}', body: { displayName: '{{ann}} and {{none}}' } },
      { method: 'GET', path: '{{users}}/{{ann}}', expect: { id: '{{ann}}' } },
    ]
    expect(await play(steps)).toEqual([
      ['POST', '/People', { userName: 'a' }],
      ['POST', '/Teams', { displayName: '7 and ' }],
      ['GET', '/People/7', undefined],
    ])
    expect(await play(steps, { withGroups: false })).toHaveLength(2)
  })

  it('is sent without attributes that the endpoint does not declare', async () => {
    const steps: Partial<Step>[] = [
      { body: { userName: 'a', unknown: 'b' }, expect: { userName: 'a', unknown: 'b' } },
      { method: 'PATCH', body: PATCH },
    ]
    const [first, second] = await play(steps)
    expect(first?.[2]).toEqual({ userName: 'a' })
    expect(second?.[2]).toEqual({ Operations: PATCH.Operations.slice(0, 1) })
  })

  it.each([
    ['another status', { status: 201 }, 'the provider expects it to: step'],
    ['another body', { body: { title: 'z' } }, 'what the provider needs to: step'],
  ])('fails with %s', async (_, answer, because) => {
    const step = { body: { title: 'a' }, expect: { title: 'a' } }
    await expect(play([step])).resolves.toHaveLength(1)
    await expect(play([step], { answer })).rejects.toThrow(because)
  })

  it('accepts a PATCH that is answered without a body (RFC 7644 §3.5.2)', async () => {
    const step = {
      method: 'PATCH',
      body: PATCH,
      status: [200, 204],
      expect: { title: 'b' },
    } as const
    await expect(play([step], { answer: { status: 204, body: {} } })).resolves.toHaveLength(1)
    await expect(play([step], { answer: { status: 200, body: {} } })).rejects.toThrow('needs to')
  })
})

it.each([ENTRA, OKTA])(
  'each step of $name has a name of its own, which a report shows',
  ({ steps }) => {
    const names = steps.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(name).toMatch(/^[a-z].{5,}/)
  },
)

describe('`adapt` changes', () => {
  const asked: unknown[] = []
  const adapt: Adapt = ({ title: _, ...others }, about) => {
    asked.push(about)
    return { ...others, locale: 'en' }
  }
  const body = { userName: 'a', title: 'b' }

  it.each(['POST', 'PUT'] as const)('the body of a %s, and not the step', async (method) => {
    expect(await play([{ method, body }], { adapt })).toEqual([
      [method, '/People', { userName: 'a', locale: 'en' }],
    ])
    expect(body).toEqual({ userName: 'a', title: 'b' })
    expect(asked.pop()).toEqual({ resourceType: 'User', number: 0 })
  })

  it('no other request', async () => {
    const steps: Partial<Step>[] = [{ method: 'PATCH', body: PATCH }, { method: 'GET' }]
    const [patch, get] = await play(steps, { adapt })
    expect(patch?.[2]).toEqual({ Operations: PATCH.Operations.slice(0, 1) })
    expect(get?.[2]).toBeUndefined()
  })

  it('what is expected: an attribute that it removes is not, any other is', async () => {
    const step = { body, expect: { ...body, id: '7' } }
    await expect(play([step], { adapt })).resolves.toHaveLength(1)
    for (const expected of [{ userName: 'z' }, { id: '8' }, { locale: 'de' }]) {
      const other = { body, expect: expected }
      await expect(play([other], { adapt })).rejects.toThrow('needs to')
    }
  })

  it('which searches are sent: none by an attribute that it removed', async () => {
    const search = (filter: string, path = '{{users}}'): Partial<Step> => ({
      method: 'GET',
      path: `${path}?filter=${filter}`,
    })
    const steps = [
      search('title eq "b"'),
      { body },
      search('title eq "b"'),
      search('userName eq "a"'),
      search('title eq "b"', '{{groups}}'),
    ]
    const sent = (await play(steps, { adapt })).map(([, path]) => path)
    expect(sent).toEqual([
      '/People?filter=title eq "b"',
      '/People',
      '/People?filter=userName eq "a"',
      '/Teams?filter=title eq "b"',
    ])
  })
})
