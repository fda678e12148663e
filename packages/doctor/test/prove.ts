import { unwrap } from '@plumbline/result'
import { describe, type ExpectStatic, it } from 'vitest'
import {
  CHECKS,
  type ExamineOptions,
  examine,
  type Outcome,
  type ProfileName,
  type Report,
} from '../src/index.ts'
import { neededChecks } from '../src/lib/plan.ts'
import type { Fault } from './fault.ts'
import { FAULTS } from './faults.ts'
import { useQuickDigests } from './quick-digests.ts'
import { BASE, createReference, type Fetch, TOKEN } from './reference.ts'

/** Whether each server is examined with every check, as in `.ci/run`. */
export const IS_WHOLE = process.env.PLUMBLINE_PROOF === 'whole'

/** The topics that repeat the rules of others for each attribute that the schemas declare. */
export const REPEATING: readonly string[] = ['stored', 'declared']

/** Examines a server with the checks of a profile, all by default; null for those that every examination has. */
export async function examineAll(
  fetch: Fetch,
  profile: ProfileName | null,
  { hostile = true, ...options }: Pick<ExamineOptions, 'only' | 'skip' | 'hostile'> = {},
): Promise<Report> {
  const profiles = profile === null ? [] : [profile]
  return unwrap(
    // A busy machine must not make a check fail.
    await examine(fetch, {
      base: BASE,
      token: TOKEN,
      profiles,
      hostile,
      ...options,
      limits: { timeout: 60_000 },
    }),
  )
}

/** The correct server for the clients of a profile. */
export function referenceFor(profile: ProfileName | null): Fetch {
  return createReference({ profile: profile ?? 'standard' })
}

/** Proves that each fault of the topics makes exactly its check fail, and those of `also`. */
export function proveTopics(topics: readonly string[]): void {
  useQuickDigests()
  // proof.test.ts requires a fault for each check, so a topic without faults does not have checks.
  for (const topic of topics.filter((one) => FAULTS[one]?.length !== 0)) {
    // An examination waits before it deletes what a failed request may have created.
    describe.concurrent(topic, () => {
      it.for(FAULTS[topic]?.map((fault) => [titleOf(fault), fault] as const) ?? [])(
        'the fault %s fails only this check',
        ([, fault], { expect }) => prove(fault, expect),
      )
    })
  }
}

/** The id of the check, and the fault's name. */
export function titleOf({ check, name }: Fault): string {
  return name === undefined ? check : `${check}, ${name},`
}

async function prove(one: Fault, expect: ExpectStatic): Promise<void> {
  const { check, also = {}, fault } = one
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
  const { outcomes, marker } = await examineAll(fetch, profile, { only: triedChecks(one) })
  expect(thrown).toStrictEqual([])
  const failed = outcomes.filter(({ status }) => status === 'failed' || status === 'broken')
  const expected = [check, ...Object.keys(also)].sort()
  expect(failed.map(({ id }) => id).sort(), explain(failed, expected)).toStrictEqual(expected)
  for (const id of Object.keys(also)) requireRelated(check, id, expect)
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
    .replace(COUNTED, '{number}')
  const lines = [title, `${level} ${section}`, `expected: ${expected}`, `advice: ${advice}`]
  const notes = Object.entries(affects).map(([provider, effect]) => `${provider}: ${effect}`)
  return [...lines, ...notes].join('\n')
}

/** Numbers that depend on the checks before, and on the speed of the machine. */
const COUNTED = /(?<=(the number of resources|slots) to be )-?\d+|\d+(?= backslashes)/
const UUID = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}'
const MILLISECONDS = /\b\d{13}\b/g
const ENCODED = /(?:%[0-9a-f]{2}){36}/gi
const INSTANT = /\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-][\d:]+)/g

/**
 * The checks that are tried with a fault: the one that finds it, those that fail, too, and those that they need. With
 * PLUMBLINE_PROOF=whole, every check.
 */
function triedChecks({ check, also = {} }: Fault): readonly string[] | undefined {
  if (IS_WHOLE) return undefined
  const tried = TRIED_TOGETHER.has(topicOf(check)) ? topicOf(check) : check
  return [tried, ...Object.keys(also)]
}

/** The topics whose checks are tried together, because generated values depend on the checks before. */
const TRIED_TOGETHER: ReadonlySet<string> = new Set(['stored'])

function topicOf(id: string): string {
  return id.slice(0, id.indexOf('.'))
}

/** A MUST check of another section may fail, too, only if it depends on the check. */
function requireRelated(id: string, other: string, expect: ExpectStatic): void {
  const [check, second] = [id, other].map((one) => CHECKS.find((each) => each.id === one))
  if (second?.level !== 'MUST' || check?.section === second.section) return
  if (REPEATING.includes(topicOf(other))) return
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
