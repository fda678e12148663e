import { type Answer, idOf, type Send } from '../client.ts'
import { expectNone, expectStatus } from '../expectations.ts'
import type { Adapt, Served } from '../world.ts'
import { declaredStep } from './declared.ts'
import { mismatches } from './match.ts'
import type { Run, Step } from './run.ts'

/** The server that a run is played against. */
export interface Stage {
  readonly send: Send
  readonly users: Served
  /** Null if the endpoint serves no groups. */
  readonly groups: Served | null
  readonly adapt: Adapt
}

/** Plays a run, without the steps about attributes and resource types that the endpoint does not have. */
export async function replay(run: Run, { send, users, groups, adapt }: Stage): Promise<void> {
  const saved = new Map([
    ['users', users.endpoint],
    ['groups', groups?.endpoint ?? ''],
  ])
  for (const one of run.steps) {
    const served = one.path.startsWith('{{users}}') ? users : groups
    const step = served && declaredStep(one, served.definitions)
    if (served === null || step === null) continue
    const { path, body, expect } = substituted(step, saved)
    const adapted =
      body && (one.method === 'POST' || one.method === 'PUT')
        ? adapt({ ...body }, { resourceType: served.name, number: 0 })
        : body
    const answer = await send(one.method, path, adapted)
    requireExpected(one, answer, expect)
    if (one.save !== undefined) saved.set(one.save, idOf(answer.body))
  }
}

function requireExpected({ name, status }: Step, answer: Answer, expected?: object): void {
  expectStatus(answer, status, `the provider expects it to: ${name}`)
  // The response to a PATCH may be without a body.
  if (expected === undefined || answer.status === 204) return
  expectNone(answer, mismatches(answer.body, expected), `what the provider needs to: ${name}`)
}

/** The step with the saved values in place of their names. */
function substituted(
  { path, body, expect }: Step,
  saved: ReadonlyMap<string, string>,
): Pick<Step, 'path' | 'body' | 'expect'> {
  const text = JSON.stringify({ path, body, expect }).replaceAll(/\{\{(\w+)\}\}/g, (_, name) =>
    JSON.stringify(saved.get(name) ?? '').slice(1, -1),
  )
  // The JSON of a step is a step.
  return JSON.parse(text) as Pick<Step, 'path' | 'body' | 'expect'>
}
