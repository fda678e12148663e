import { unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { CHECKS, examine, type Outcome, type ProviderName, type Report } from '../src/index.ts'
import { neededChecks, planChecks } from '../src/lib/plan.ts'
import { type Fault, isRoute, pathOf } from './fault.ts'
import { FAULTS } from './faults.ts'
import { BASE, createReference, type Fetch, TOKEN } from './reference.ts'

/** Examines a server with every check of a profile; null for the checks that every examination has. */
export async function examineAll(
  fetch: Fetch,
  profile: ProviderName | null,
  only?: readonly string[],
): Promise<Report> {
  const profiles = profile === null ? [] : [profile]
  return unwrap(
    // A busy machine must not make a check fail.
    await examine(fetch, { base: BASE, token: TOKEN, profiles, only, limits: { timeout: 60_000 } }),
  )
}

/** The correct server for the clients of a profile. */
export function referenceFor(profile: ProviderName | null): Fetch {
  return createReference({ profile: profile ?? 'standard' })
}

/** Proves that each fault of the topics makes exactly its check fail, and those of `also`. */
export function proveTopics(topics: readonly string[]): void {
  // proof.test.ts requires a fault for each check, so a topic without faults does not have checks.
  for (const topic of topics.filter((one) => FAULTS[one]?.length !== 0)) {
    describe(topic, () => {
      it.each(FAULTS[topic]?.map((fault) => [fault.check, fault] as const) ?? [])(
        'the fault of %s is found by this check only',
        async (_, fault) => {
          await prove(fault)
        },
      )
    })
  }
}

async function prove({ check, also = {}, fault }: Fault): Promise<void> {
  const thrown: unknown[] = []
  // A check of a profile is proven with the server for this profile.
  const profile = CHECKS.find(({ id }) => id === check)?.profiles?.[0] ?? null
  const faulty = fault(referenceFor(profile))
  const fetch: Fetch = (request) =>
    faulty(request).catch((error: unknown) => {
      // A fault that breaks the connection throws what fetch throws. Any other error is a bug of the fault.
      if (String(error) !== 'TypeError: fetch failed') thrown.push(error)
      throw error
    })
  const related = await findRelated(fault.route, profile)
  const { outcomes, marker } = await examineAll(fetch, profile, [
    ...related,
    check,
    ...Object.keys(also),
  ])
  expect(thrown).toStrictEqual([])
  const failed = outcomes.filter(({ status }) => status === 'failed' || status === 'broken')
  const expected = [check, ...Object.keys(also)].sort()
  expect(failed.map(({ id }) => id).sort(), explain(failed, expected)).toStrictEqual(expected)
  for (const id of Object.keys(also)) requireRelated(check, id)
  const outcome = failed.find(({ id }) => id === check)
  expect(reportOf(outcome, marker)).toMatchSnapshot()
}

/** The lines of a report about a fault, without the values that differ between two examinations. */
function reportOf(outcome: Outcome | undefined, marker: string): string {
  const { level, section, title, advice, affects = {}, finding } = outcome ?? {}
  const ids = new Map<string, string>()
  const expected = finding?.expected
    .replaceAll(new RegExp(`${marker}(?:-\\d+)?|${UUID}`, 'gi'), (id) => {
      ids.set(id, ids.get(id) ?? `{id ${ids.size + 1}}`)
      return ids.get(id) ?? ''
    })
    .replaceAll(INSTANT, '{instant}')
    .replaceAll(MILLISECONDS, '{milliseconds}')
    .replaceAll(ENCODED, '{encoded id}')
  const lines = [title, `${level} ${section}`, `expected: ${expected}`, `advice: ${advice}`]
  const notes = Object.entries(affects).map(([provider, effect]) => `${provider}: ${effect}`)
  return [...lines, ...notes].join('\n')
}

const UUID = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}'
const MILLISECONDS = /\b\d{13}\b/g
const ENCODED = /(?:%[0-9a-f]{2}){36}/gi
const INSTANT = /\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-][\d:]+)/g

/**
 * The ids of the checks that a fault of a route can affect: those that send such a request to the reference,
 * themselves or through a need or a shared resource. The others see a correct server. With PLUMBLINE_PROOF=whole,
 * every check runs against every fault.
 */
async function findRelated(
  route: string | undefined,
  profile: ProviderName | null,
): Promise<readonly string[]> {
  const ids = planChecks(CHECKS, { profiles: profile === null ? [] : [profile] }).map(
    ({ id }) => id,
  )
  if (route === undefined || process.env.PLUMBLINE_PROOF === 'whole') return ids
  if (DISCOVERY.some((path) => isRoute(route, { method: 'GET', path }))) return ids
  const recorded = await (requests.get(profile) ?? recordRequests(profile, ids))
  return ids.filter((id) => recorded.get(id)?.some((asked) => isRoute(route, asked)))
}

type Asked = Parameters<typeof isRoute>[1]
const requests = new Map<ProviderName | null, ReadonlyMap<string, readonly Asked[]>>()

/** The requests of each check and of those that it needs, when it is the only selected check. */
async function recordRequests(
  profile: ProviderName | null,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly Asked[]>> {
  const recorded = new Map<string, readonly Asked[]>()
  for (const id of ids) {
    const { outcomes } = await examineAll(referenceFor(profile), profile, [id])
    const asked = outcomes.flatMap(({ exchanges }) =>
      exchanges.map(({ method, url }) => ({ method, path: pathOf(url) })),
    )
    recorded.set(id, asked)
  }
  requests.set(profile, recorded)
  return recorded
}

/** The documents that every examination reads. */
const DISCOVERY = ['/ServiceProviderConfig', '/ResourceTypes', '/Schemas']

/** A MUST check of another section may fail, too, only if it depends on the check. */
function requireRelated(id: string, other: string): void {
  const [check, second] = [id, other].map((one) => CHECKS.find((each) => each.id === one))
  if (second?.level !== 'MUST' || check?.section === second.section) return
  expect(
    closureOf(other),
    `${other} is a MUST of another section, so it must need ${id}`,
  ).toContain(id)
}

function closureOf(id: string): readonly string[] {
  const check = CHECKS.find((one) => one.id === id)
  const needed = check === undefined ? [] : neededChecks(check)
  return [...needed, ...needed.flatMap(closureOf)]
}

/** The findings that were not expected, for the message of a failed test. */
function explain(failed: readonly Outcome[], expected: readonly string[]): string {
  const lines = failed
    .filter(({ id }) => !expected.includes(id))
    .map(
      ({ id, finding, reason }) =>
        `${id}: ${reason ?? `expected ${finding?.expected}, found ${finding?.found}`}`,
    )
  return `the checks that fail\n${lines.join('\n')}`
}
