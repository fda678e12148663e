import type { Check, ProfileName } from './check.ts'
import { ExaminationError } from './examination-error.ts'
import { PROFILE_NAMES } from './profiles.ts'

/** Selects the checks to run. */
export interface Selection {
  /** Ids, topics such as `discovery`, or parts of sections such as `§4`. All checks by default. */
  readonly only?: readonly string[] | undefined
  /** The profiles whose checks run, too; `all` ignores profiles, to list every check. */
  readonly profiles?: readonly ProfileName[] | 'all' | undefined
  /** Whether to run checks that could take a server down; by default, only those named in `only`. */
  readonly isHostile?: boolean | undefined
  /** Ids, topics or parts of sections whose checks do not run, even if another check needs them. */
  readonly skip?: readonly string[] | undefined
}

/**
 * Returns the selected checks and the checks they need, each after the ones it needs. Throws an ExaminationError for an
 * unknown profile, and if a selection selects no check.
 */
export function planChecks(
  checks: readonly Check[],
  { only, profiles = [], isHostile = only !== undefined, skip = [] }: Selection,
): readonly Check[] {
  const unknownProfile = profiles === 'all' ? undefined : profiles.find((one) => !isProfile(one))
  if (unknownProfile !== undefined) {
    const known = PROFILE_NAMES.join(', ')
    throw new ExaminationError(
      'invalid-options',
      `profile ${unknownProfile} is not one of ${known}`,
    )
  }
  const byId = new Map(checks.map((check) => [check.id, check]))
  const planned = new Set<Check>()
  const isOmitted = (check: Check): boolean => skip.some((text) => isSelected(check, text))
  // If a check needs a hostile one, it is hostile, too.
  const hasHostile = (check: Check): boolean =>
    check.needs?.includes('hostile') === true ||
    neededChecks(check).some((id) => {
      const needed = byId.get(id)
      return needed !== undefined && hasHostile(needed)
    })
  const visit = (check: Check): void => {
    if (planned.has(check) || isOmitted(check)) return
    for (const id of neededChecks(check)) {
      const needed = byId.get(id)
      if (needed !== undefined && needed !== check) visit(needed)
    }
    planned.add(check)
  }
  const selected = checks.filter(
    (check) =>
      (profiles === 'all' || isFor(check, profiles)) &&
      !isOmitted(check) &&
      (isHostile || !hasHostile(check)) &&
      (only === undefined || only.some((text) => isSelected(check, text))),
  )
  const unknown = only?.find((text) => !checks.some((check) => isSelected(check, text)))
  if (selected.length === 0 || unknown !== undefined) {
    throw new ExaminationError('invalid-options', `no check matches ${unknown ?? only?.join(', ')}`)
  }
  for (const check of selected) visit(check)
  return [...planned]
}

function isProfile(name: ProfileName): boolean {
  return PROFILE_NAMES.includes(name)
}

function isFor({ profiles: wanted, notFor }: Check, profiles: readonly ProfileName[]): boolean {
  const isGiven = (one: ProfileName): boolean => profiles.includes(one)
  return (wanted === undefined || wanted.some(isGiven)) && !notFor?.some(isGiven)
}

/** Returns the ids of the checks a check needs. */
export function neededChecks({ needs = [] }: Check): readonly string[] {
  return needs.flatMap((need) => (need.startsWith('check:') ? [need.slice('check:'.length)] : []))
}

function isSelected({ id, section }: Check, text: string): boolean {
  if (id === text || id.startsWith(`${text}.`)) return true
  // `§3.4` selects §3.4.2, and not §3.14 or §13.4.
  return `${section} `.split(/[ ,]/).some((part) => part === text || part.startsWith(`${text}.`))
}
