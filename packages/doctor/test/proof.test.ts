import { describe, expect, it } from 'vitest'
import { CHECKS } from '../src/index.ts'
import { TOPICS } from '../src/lib/checks.ts'
import { neededChecks } from '../src/lib/plan.ts'
import { PROFILE_NAMES } from '../src/lib/profiles.ts'
import { FAULTS } from './faults.ts'
import { examineAll, IS_WHOLE, REPEATING, referenceFor, titleOf } from './prove.ts'
import { useQuickDigests } from './quick-digests.ts'

useQuickDigests()

describe('the check and fault table', () => {
  it.each(Object.keys(TOPICS))('%s has a fault for each check', (topic) => {
    const ids = TOPICS[topic]?.map(({ id }) => id) ?? []
    const proven = new Set(FAULTS[topic]?.map(({ check }) => check))
    expect([...proven].sort()).toStrictEqual([...ids].sort())
  })

  it('the table has at least 200 checks and 200 faults', () => {
    expect(CHECKS.length).toBeGreaterThanOrEqual(200)
    expect(Object.values(FAULTS).flat().length).toBeGreaterThanOrEqual(200)
  })

  it('a check with several faults names each fault', () => {
    const titles = Object.values(FAULTS).flat().map(titleOf)
    expect(new Set(titles).size).toBe(titles.length)
  })

  it('each check has a unique id, which starts with the topic', () => {
    const ids = CHECKS.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [topic, checks] of Object.entries(TOPICS)) {
      for (const { id } of checks) expect(id).toMatch(new RegExp(`^${topic}\\.[a-z0-9-]+$`))
    }
  })

  it('checks need only existing checks', () => {
    const ids = new Set(CHECKS.map(({ id }) => id))
    for (const check of CHECKS) {
      for (const needed of neededChecks(check)) expect(ids, check.id).toContain(needed)
    }
  })

  it('each check cites a section or a practice', () => {
    for (const { id, section, level, advice, title } of CHECKS) {
      if (level !== 'practice') expect(section, id).toMatch(/^(RFC \d{4}|interop-01|IPSIE-00) §\d/)
      expect(advice, id).toMatch(/^[A-Z].*\.$/s)
      expect(title, id).not.toMatch(/\.$/)
    }
  })
})

describe('the reference', () => {
  it.each([null, ...PROFILE_NAMES])(
    'the reference passes every check in profile %s, and nothing is left',
    async (profile) => {
      // A profile does not change the rules that are repeated for each attribute.
      const skip = profile === null || IS_WHOLE ? [] : REPEATING
      const reference = referenceFor(profile)
      const { outcomes, left, stopped } = await examineAll(reference, profile, { skip })
      expect({ left, stopped }).toStrictEqual({ left: [], stopped: null })
      // IPSIE draft 00 §6.1.2: a user does not have a password.
      const isWithout = (reason: string | null): boolean =>
        profile === 'ipsie-al2' && reason?.endsWith(' does not declare password.') === true
      const wrong = outcomes.filter(
        ({ status, reason }) => status !== 'passed' && !isWithout(reason),
      )
      expect(wrong.map(({ id, reason, finding }) => ({ id, reason, finding }))).toStrictEqual([])
      const expected = CHECKS.filter(
        ({ id, profiles, notFor = [] }) =>
          !skip.some((topic) => id.startsWith(`${topic}.`)) &&
          (profiles ?? [profile]).some((one) => one === profile) &&
          !notFor.some((one) => one === profile),
      )
      expect(outcomes).toHaveLength(expected.length)
    },
  )
})
