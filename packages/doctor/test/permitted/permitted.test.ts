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
import type { Variant } from './variant.ts'

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

describe.concurrent('no check says MUST or defined to a server where', () => {
  it.for(VARIANTS.map((one) => [one.section, one.name, one] as const))(
    '%s: %s',
    async ([, , { change = unchanged, reference }], { expect }) => {
      const { outcomes, stopped } = await examineAll(
        change(createReference(reference)),
        null,
        TRIED,
      )
      const wrong = outcomes.filter(
        ({ level, status }) => status === 'broken' || (status === 'failed' && isBinding(level)),
      )
      expect(
        wrong.map(({ id, finding, reason }) => [id, finding?.expected, finding?.found ?? reason]),
      ).toStrictEqual([])
      expect(stopped).toBeNull()
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
