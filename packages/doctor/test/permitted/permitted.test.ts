import { describe, expect, it } from 'vitest'
import { isBinding } from '../../src/lib/check.ts'
import type { Change } from '../fault.ts'
import { examineAll, IS_WHOLE, REPEATING } from '../prove.ts'
import { useQuickDigests } from '../quick-digests.ts'
import { createReference } from '../reference.ts'
import { REPORTED } from './reported.ts'
import { SCHEMA_VARIANTS } from './rfc7643.ts'
import { PROTOCOL_VARIANTS } from './rfc7644.ts'
import { STATUS_VARIANTS } from './statuses.ts'
import { all, type Variant } from './variant.ts'

useQuickDigests()

/**
 * Long and deep requests are the same for all variants, and so are the rules that are repeated. `.ci/run` tries each
 * variant with every check.
 */
const TRIED: Parameters<typeof examineAll>[2] = IS_WHOLE ? {} : { hostile: false, skip: REPEATING }

const unchanged: Change = (correct) => correct

const VARIANTS: readonly Variant[] = [
  ...REPORTED,
  ...SCHEMA_VARIANTS,
  ...PROTOCOL_VARIANTS,
  ...STATUS_VARIANTS,
]

/** How many variants share a server. */
const MAX_VARIANTS = 11

/** The variants of each server: those that share one, and the others one by one. */
const SERVERS: readonly (readonly Variant[])[] = IS_WHOLE
  ? VARIANTS.map((one) => [one])
  : [
      ...divide(VARIANTS.filter(({ isShared }) => isShared)),
      ...VARIANTS.filter(({ isShared }) => !isShared).map((one) => [one]),
    ]

describe.concurrent('a server that does what the standard permits', () => {
  it.for(SERVERS.map((variants) => [titleOf(variants), variants] as const))(
    'no check says MUST or defined to a server where %s',
    async ([, variants], { expect }) => {
      const correct = createReference(variants[0]?.reference)
      const fetch = all(...variants.map(({ change = unchanged }) => change))(correct)
      const [{ isShared = false, topics = null } = {}] = variants
      const only = IS_WHOLE || topics === null ? {} : { only: topics }
      const { outcomes, stopped } = await examineAll(fetch, null, { ...TRIED, ...only })
      const wrong = outcomes.filter(
        ({ level, status }) => status === 'broken' || (status === 'failed' && isBinding(level)),
      )
      expect(
        wrong.map(({ id, finding, reason }) => [id, finding?.expected, finding?.found ?? reason]),
      ).toStrictEqual([])
      expect(stopped).toBeNull()
      // A shared server runs every check, and other servers run those that are not in the topics of the variant.
      const idle = outcomes.filter(({ status }) => status !== 'passed' && status !== 'failed')
      const permitted = isShared && !IS_WHOLE ? [] : topics && [...topics, ...REPEATING]
      if (permitted === null) return
      expect(idle.map(({ id }) => id).filter((id) => !permitted.includes(topicOf(id)))).toEqual([])
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

const topicOf = (id: string): string => id.slice(0, id.indexOf('.'))

function titleOf(variants: readonly Variant[]): string {
  return variants.map(({ section, name }) => `${section}: ${name}`).join(', and ')
}

/** Divides variants so that those with similar subjects, which are next to each other, have different servers. */
function divide(variants: readonly Variant[]): readonly (readonly Variant[])[] {
  const count = Math.ceil(variants.length / MAX_VARIANTS)
  return Array.from({ length: count }, (_, first) =>
    variants.filter((_, at) => at % count === first),
  )
}
