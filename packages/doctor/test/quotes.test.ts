import { describe, expect, it } from 'vitest'
import { CHECKS } from '../src/index.ts'
import { normalize, readStandard, sectionText } from './standards.ts'

/** The words of RFC 2119 by which a sentence can have a level. */
const WORDS: Readonly<Record<string, RegExp>> = {
  MUST: /\b(MUST|SHALL|REQUIRED)\b/,
  SHOULD: /\b(SHOULD|RECOMMENDED)\b/,
  MAY: /\b(MAY|OPTIONAL)\b/,
}

describe("a check's quoted sentence", () => {
  it('a quote has at most eight words, and a practice and a draft need none', () => {
    for (const { id, level, section, quote } of CHECKS) {
      if (level === 'practice' || isDraft(section)) continue
      const { length } = (quote ?? '').split(/\s+/).filter((word) => word !== '')
      expect(length, id).toBeGreaterThanOrEqual(3)
      expect(length, id).toBeLessThanOrEqual(8)
    }
  })

  it('a quote has the word for the level: MUST, SHALL or REQUIRED; SHOULD; MAY', () => {
    for (const { id, level, section, quote } of CHECKS) {
      const word = WORDS[level]
      if (word !== undefined && !isDraft(section)) expect(quote, id).toMatch(word)
    }
  })

  const numbers = new Set(CHECKS.flatMap(({ section }) => partsOf(section)?.rfc ?? []))
  for (const rfc of numbers) {
    const standard = readStandard(rfc)
    if (standard === null) {
      it(`quotes are not compared with RFC ${rfc}, whose text was not found`, () => {
        expect(standard).toBeNull()
      })
      continue
    }
    it(`quotes are in the cited section in RFC ${rfc}`, () => {
      for (const { id, section, quote } of CHECKS) {
        const parts = partsOf(section)
        if (parts?.rfc !== rfc) continue
        const text = sectionText(standard, parts.section)
        expect(text, `${id}: ${section}`).not.toBeNull()
        if (quote !== undefined) expect(text, `${id}: ${section}`).toContain(normalize(quote))
      }
    })
  }
})

/** Whether a check is for a draft, whose text may change. Its table has the word of each requirement. */
function isDraft(section: string): boolean {
  return /^(interop-01|IPSIE-00) /.test(section)
}

/** The number of the RFC and the number of the section; null for a practice of a provider. */
function partsOf(section: string): { readonly rfc: string; readonly section: string } | null {
  const [, rfc, number] = /^RFC (\d+) §([\d.]+)$/.exec(section) ?? []
  return rfc === undefined || number === undefined ? null : { rfc, section: number }
}
