import { describe, expect, it } from 'vitest'
import { isBinding } from '../../src/lib/check.ts'
import type { Change } from '../fault.ts'
import { examineAll } from '../prove.ts'
import { useQuickDigests } from '../quick-digests.ts'
import { createReference } from '../reference.ts'
import { REPORTED } from './reported.ts'
import { SCHEMA_VARIANTS } from './rfc7643.ts'
import { PROTOCOL_VARIANTS } from './rfc7644.ts'
import { STATUS_VARIANTS } from './statuses.ts'
import { all, type Variant } from './variant.ts'

useQuickDigests()

const IS_WHOLE = process.env.PLUMBLINE_PROOF === 'whole'

/**
 * Long and deep requests are the same for all variants, and two topics repeat the rules of others for each attribute.
 * `.ci/run` sends them, too.
 */
const TRIED: Parameters<typeof examineAll>[2] = IS_WHOLE
  ? {}
  : { hostile: false, skip: ['stored', 'declared'] }

const unchanged: Change = (correct) => correct

const VARIANTS: readonly Variant[] = [
  ...REPORTED,
  ...SCHEMA_VARIANTS,
  ...PROTOCOL_VARIANTS,
  ...STATUS_VARIANTS,
]

/** The variants of each server: those that share one, five by five, and the others one by one. */
const SERVERS: readonly (readonly Variant[])[] = IS_WHOLE
  ? VARIANTS.map((one) => [one])
  : [
      ...divide(VARIANTS.filter(({ isShared }) => isShared)),
      ...VARIANTS.filter(({ isShared }) => !isShared).map((one) => [one]),
    ]

describe.concurrent('no check says MUST or defined to a server where', () => {
  it.for(SERVERS.map((variants) => [titleOf(variants), variants] as const))(
    '%s',
    async ([, variants], { expect }) => {
      const correct = createReference(variants[0]?.reference)
      const fetch = all(...variants.map(({ change = unchanged }) => change))(correct)
      const { outcomes, stopped } = await examineAll(fetch, null, TRIED)
      const wrong = outcomes.filter(
        ({ level, status }) => status === 'broken' || (status === 'failed' && isBinding(level)),
      )
      expect(
        wrong.map(({ id, finding, reason }) => [id, finding?.expected, finding?.found ?? reason]),
      ).toStrictEqual([])
      expect(stopped).toBeNull()
      if (IS_WHOLE || variants.some(({ isShared }) => !isShared)) return
      // So none of the variants hides another one from a check.
      const idle = outcomes.filter(({ status }) => status !== 'passed' && status !== 'failed')
      expect(idle.map(({ id }) => id)).toStrictEqual([])
    },
  )
})

describe('the variants', () => {
  it('at least 70 variants exist, each with a permitting section', () => {
    expect(VARIANTS.length).toBeGreaterThanOrEqual(70)
    expect(new Set(VARIANTS.map(({ name }) => name)).size).toBe(VARIANTS.length)
    for (const { name, section } of VARIANTS) expect(section, name).toMatch(/^RFC \d{4} §\d/)
  })
})

function titleOf(variants: readonly Variant[]): string {
  return variants.map(({ section, name }) => `${section}: ${name}`).join(', and ')
}

/** Divides variants so that those with similar subjects, which are next to each other, have different servers. */
function divide(variants: readonly Variant[]): readonly (readonly Variant[])[] {
  const count = Math.ceil(variants.length / 5)
  return Array.from({ length: count }, (_, first) =>
    variants.filter((_, at) => at % count === first),
  )
}
