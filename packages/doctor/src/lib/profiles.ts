import type { ProfileName } from './check.ts'
import { INTEROP } from './profiles/interop.ts'
import { IPSIE } from './profiles/ipsie.ts'
import type { ExaminedText } from './profiles/text.ts'

/** The profiles in the order of the usage. */
export const PROFILE_NAMES: readonly ProfileName[] = [
  'entra',
  'okta',
  'interop',
  'ipsie-al1',
  'ipsie-al2',
]

/** The profiles with the interoperability profile's rules. */
export const INTEROP_CLIENTS = ['interop', 'ipsie-al1', 'ipsie-al2'] as const
/** The profiles with IPSIE's first level. */
export const IPSIE_CLIENTS = ['ipsie-al1', 'ipsie-al2'] as const
/** The profile with IPSIE's second level. */
export const IPSIE_AL2_CLIENTS = ['ipsie-al2'] as const

/** The texts an examination with the profiles follows. */
export function textsOf(profiles: readonly ProfileName[]): readonly ExaminedText[] {
  const texts = [
    { text: INTEROP, names: INTEROP_CLIENTS },
    { text: IPSIE, names: IPSIE_CLIENTS },
  ]
  return texts
    .filter(({ names }) => names.some((name) => profiles.includes(name)))
    .map(({ text: { title, date, requirements } }) => ({
      title,
      date,
      notExamined: requirements.flatMap((one) =>
        'checks' in one ? [] : [{ section: one.section, rule: one.rule, reason: one.notExamined }],
      ),
    }))
}
