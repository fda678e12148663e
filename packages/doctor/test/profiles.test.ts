import { describe, expect, it } from 'vitest'
import { CHECKS } from '../src/index.ts'
import { INTEROP } from '../src/lib/profiles/interop.ts'
import { IPSIE } from '../src/lib/profiles/ipsie.ts'
import { examineAll, referenceFor } from './prove.ts'
import { useQuickDigests } from './quick-digests.ts'

useQuickDigests()

describe.each([
  ['interop.', INTEROP, 49],
  ['ipsie.', IPSIE, 44],
] as const)('the requirements for the checks %s*', (topic, { requirements }, count) => {
  it('requirements are numbered without a gap', () => {
    const letter = topic.slice(0, 1) === 'i' && count === 49 ? 'I' : 'P'
    expect(requirements.map(({ number }) => number)).toEqual(
      Array.from({ length: count }, (_, at) => `${letter}${at + 1}`),
    )
  })

  it('requirements name existing checks, and each check in the topic has a requirement', () => {
    const named = new Set(requirements.flatMap((one) => ('checks' in one ? one.checks : [])))
    const ids = new Set(CHECKS.map(({ id }) => id))
    expect([...named].filter((id) => !ids.has(id))).toEqual([])
    expect([...ids].filter((id) => id.startsWith(topic) && !named.has(id))).toEqual([])
  })
})

describe.each(['interop', 'ipsie-al1', 'ipsie-al2'] as const)('with the profile %s', (profile) => {
  it('each requirement that can be examined passes on the reference, and the report names the others', async () => {
    const all = profile === 'interop' ? [INTEROP] : [INTEROP, IPSIE]
    const named = all.flatMap(({ requirements }) =>
      requirements.flatMap((one) => ('checks' in one ? one.checks : [])),
    )
    const { outcomes, texts = [] } = await examineAll(referenceFor(profile), profile, {
      only: [...new Set(named)],
    })
    const passed = new Set(outcomes.flatMap(({ id, status }) => (status === 'passed' ? [id] : [])))
    expect(texts.map(({ title }) => title)).toEqual(all.map(({ title }) => title))
    // Level AL1 does not have the requirements of section 6.
    const ofLevel = all
      .flatMap(({ requirements }) => requirements)
      .filter(({ number, section }) =>
        profile === 'ipsie-al1' ? !(number.startsWith('P') && section.startsWith('6')) : true,
      )
    const missing = ofLevel.filter(
      (one) => 'checks' in one && !one.checks.every((id) => passed.has(id)),
    )
    expect(missing).toEqual([])
    const listed = new Set(texts.flatMap(({ notExamined }) => notExamined.map(({ rule }) => rule)))
    const silent = ofLevel.filter((one) => !('checks' in one) && !listed.has(one.rule))
    expect(silent).toEqual([])
  })

  it("a standard server fails the profile's rules", async () => {
    const { outcomes } = await examineAll(referenceFor(null), profile, {
      only: ['interop', 'ipsie'],
    })
    const failed = outcomes.flatMap(({ id, status }) => (status === 'failed' ? [id] : []))
    expect(failed).toEqual(
      expect.arrayContaining(['interop.flag', 'interop.path', 'interop.replace-whole']),
    )
    expect(failed.includes('ipsie.no-password')).toBe(profile === 'ipsie-al2')
  })
})
