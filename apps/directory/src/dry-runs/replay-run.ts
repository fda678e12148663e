import { type Run, type RunStep, replay } from '@plumbline/doctor'
import { isFailure } from '@plumbline/result'
import { type Profile, profileOf } from '../profiles.ts'
import { FOUND_ID } from '../recordings/run.ts'
import { REQUEST_ID } from '../requests/request-id.ts'
import { type Linked, link } from './link.ts'
import { BASE, type Tenant } from './tenant.ts'

/** A request whose response differs from the recorded one. */
export interface DifferentStep {
  /** Its position in the run, from 1. */
  readonly step: number
  readonly name: string
  readonly request: string
  readonly reason: string
}

/** The result of a replay on a tenant's copy. */
export interface ReplayedRun {
  readonly different: readonly DifferentStep[]
  /** The existing resources written instead of creating new ones. */
  readonly linked: readonly Pick<Linked, 'resourceType' | 'id'>[]
  /** The ids of these resources, and of those the provider found by a query. */
  readonly found: ReadonlySet<string>
}

/**
 * Replays a run on a tenant's copy, which keeps the changes. Each request's id is its position in the run. A
 * recorded POST whose name belongs to an existing resource writes to it.
 */
export async function replayRun(copy: Tenant, run: Run): Promise<ReplayedRun> {
  const found = new Set<string>()
  const linked: Linked[] = []
  const different: DifferentStep[] = []
  const profile = profileOf(run.profile)
  let done = 0
  const answer = async (request: Request): Promise<Response> => {
    const step = run.steps[done]
    // After the last step, the replay deletes what it has created.
    if (step === undefined) return new Response(null, { status: 204 })
    request.headers.set(REQUEST_ID, String(done + 1))
    const response = await answerStep({ copy, step, profile, found, linked }, request)
    // A search that takes too long is a response: a replay would end with a 503.
    return response.status === 503 ? new Response(response.body, { status: 500 }) : response
  }
  const result = await replay(answer, withoutBodies(run), {
    base: BASE,
    limits: LIMITS,
    onStep: ({ status, name, differences: [reason = ''] }) => {
      const { method = '', path = '' } = run.steps[done]?.request ?? {}
      done += 1
      const request = `${method} ${path}`
      if (status !== 'same') different.push({ step: done, name, request, reason })
    },
  })
  if (isFailure(result)) throw result.error
  return { different, linked, found }
}

interface Answering {
  readonly copy: Tenant
  readonly step: RunStep
  readonly profile: Profile
  readonly found: Set<string>
  readonly linked: Linked[]
}

async function answerStep(
  { copy, step, profile, found, linked }: Answering,
  request: Request,
): Promise<Response> {
  const isCreation = request.method === 'POST' && step.expect.status === 201
  const kept = isCreation ? request.clone() : null
  const response = await copy.send(request, profile)
  if (kept !== null && response.status === 409) {
    const one = await link(copy, kept, profile)
    if (one === null) return response
    if (!one.response.ok) return one.response
    linked.push(one)
    found.add(one.id)
    return new Response(one.response.body, { status: step.expect.status })
  }
  if (!response.ok || !Object.values(step.save).includes(FOUND_ID)) return response
  const list: { readonly Resources?: readonly { readonly id: string }[] } = await response.json()
  const [first] = list.Resources ?? []
  if (first !== undefined) found.add(first.id)
  return Response.json(list)
}

/** Removes the expected bodies from a run: another tenant's lists contain other resources. */
function withoutBodies(run: Run): Run {
  const steps = run.steps.map(({ expect: { status }, ...step }) => ({
    ...step,
    expect: { status, headers: {} },
  }))
  return { ...run, steps }
}

/** Searches in a large tenant, and their responses, may exceed a client's limits. */
const LIMITS = { timeout: 600_000, maxBody: 64 * 2 ** 20, retries: 0 }
