import { type Answer, idOf, type Send } from '../client.ts'
import { expectNone, expectStatus } from '../expectations.ts'
import type { Adapt, Served } from '../world.ts'
import { declaredStep } from './declared.ts'
import { mismatches } from './match.ts'
import type { Run, Step } from './run.ts'

/** The resource type that a step addresses. */
type Target = Pick<Served, 'name' | 'endpoint' | 'definitions'>

/** The server that a run is played against. */
export interface Stage {
  readonly send: Send
  readonly users: Target
  /** Null if the endpoint serves no groups. */
  readonly groups: Target | null
  readonly adapt: Adapt
}

/**
 * Plays a run, without the steps about attributes and resource types that the endpoint does not have. An attribute
 * that `adapt` removes is one of them.
 */
export async function replay(run: Run, stage: Stage): Promise<void> {
  const { send, users, groups } = stage
  const saved = new Map([
    ['users', users.endpoint],
    ['groups', groups?.endpoint ?? ''],
  ])
  const removed = new Set<string>()
  for (const one of run.steps) {
    const served = one.path.startsWith('{{users}}') ? users : groups
    const step = served && declaredStep(one, served.definitions)
    if (served === null || step === null) continue
    const { path, body, expect } = adapted(step, substituted(step, saved), served, stage)
    for (const name of Object.keys(step.body ?? {})) {
      if (body !== undefined && !Object.hasOwn(body, name)) removed.add(`${served.name} ${name}`)
    }
    const named = /filter=(\w+)/.exec(path)?.[1]
    if (removed.has(`${served.name} ${named}`)) continue
    const answer = await send(one.method, path, body)
    requireExpected(one, answer, expect)
    if (one.save !== undefined) saved.set(one.save, idOf(answer.body))
  }
}

type Parts = Pick<Step, 'path' | 'body' | 'expect'>

/** A resource as `adapt` changes it, and what is expected of it then. */
function adapted(
  { method }: Step,
  parts: Parts,
  { name: resourceType }: Target,
  { adapt }: Stage,
): Parts {
  const { body, expect } = parts
  if (body === undefined || (method !== 'POST' && method !== 'PUT')) return parts
  const changed = adapt({ ...body }, { resourceType, number: 0 })
  const isKept = (name: string): boolean =>
    Object.hasOwn(changed, name) || !Object.hasOwn(body, name)
  const kept = Object.entries(expect ?? {}).filter(([name]) => isKept(name))
  return { ...parts, body: changed, ...(expect && { expect: Object.fromEntries(kept) }) }
}

function requireExpected({ name, status }: Step, answer: Answer, expected?: object): void {
  expectStatus(answer, status, `the provider expects it to: ${name}`)
  // The response to a PATCH may be without a body.
  if (expected === undefined || answer.status === 204) return
  expectNone(answer, mismatches(answer.body, expected), `what the provider needs to: ${name}`)
}

/** The step with the saved values in place of their names. */
function substituted({ path, body, expect }: Step, saved: ReadonlyMap<string, string>): Parts {
  const text = JSON.stringify({ path, body, expect }).replaceAll(/\{\{(\w+)\}\}/g, (_, name) =>
    JSON.stringify(saved.get(name) ?? '').slice(1, -1),
  )
  // The JSON of a step is a step.
  return JSON.parse(text) as Parts
}
