import { type ExamineOptions, examine, type Outcome } from '@plumbline/doctor'
import { unwrap } from '@plumbline/result'
import { PROFILES } from '@plumbline/scim/endpoint'
import { describe, expect, it } from 'vitest'
import { PROFILE_NAMES, type Profile } from '../../src/kernel/profiles.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { connect } from '../support/harness.ts'
import { EMPLOYEE_SCHEMA, TEAM_SCHEMA } from './extensions.ts'

/** The extensions that a tenant has registered. */
const EXTENSIONS = [EMPLOYEE_SCHEMA, TEAM_SCHEMA]

/** Options of the contract. */
interface DoctorOptions {
  /** The topics that are examined only with the profile `standard`. */
  readonly skip?: readonly string[]
}

/** The topics on which no profile of `@plumbline/scim` has a rule, for a store with a second test of all topics. */
export const TOPICS_OF_STANDARD: readonly string[] = [
  'paging',
  'cursors',
  'sorting',
  'search',
  'projection',
  'concurrency',
  'authentication',
  'declared',
]

/** Examines the directory with a token of each profile. */
export function doctorContract(storeOf: () => Store, { skip = [] }: DoctorOptions = {}): void {
  describe('the doctor', () => {
    it.each([
      ['standard', 'with extensions of users and groups', EXTENSIONS] as const,
      ...PROFILE_NAMES.filter((profile) => profile !== 'standard').map(
        (profile) => [profile, 'without extensions', []] as const,
      ),
    ])(
      'the doctor does not find a failed MUST or SHOULD with a token of the profile %s %s, and leaves nothing',
      async (profile, _, extensions) => {
        const limits = limitsOf(profile, skip)
        const examined = await examineDirectory(storeOf(), { profile, extensions, limits })
        const { outcomes, left, stopped } = examined
        expect({ left, stopped }).toStrictEqual({ left: [], stopped: null })
        expect(outcomes.filter(isWrong).map(explain)).toStrictEqual([])
        const passed = outcomes.filter(({ status }) => status === 'passed')
        expect(passed.length).toBeGreaterThan(limits.only === undefined ? 200 : 2)
      },
    )
  })
}

type Limits = Pick<ExamineOptions, 'skip' | 'only'>

function limitsOf(profile: Profile, skip: readonly string[]): Limits {
  if (profile === 'standard') return {}
  const isOtherName = profile !== 'interop' && PROFILES[profile] === PROFILES.interop
  return isOtherName ? { only: ['ipsie'] } : { skip }
}

interface Examined {
  readonly profile: Profile
  readonly extensions: readonly object[]
  readonly limits: Limits
}

async function examineDirectory(store: Store, { profile, extensions, limits }: Examined) {
  const { tenantId, send } = await connect(store, { role: 'admin' })
  for (const schema of extensions) {
    const registered = await send('POST', `/api/tenants/${tenantId}/schemas`, schema)
    expect(registered.status).toBe(201)
  }
  const { body } = await send('POST', '/Users', { userName: 'admin@example.com' })
  const userId = String(body.id)
  const { directory, token } = await connect(store, { profile, tenantId, userId })
  return unwrap(
    await examine((request) => directory.fetch(request), {
      ...limits,
      base: 'http://localhost/scim/v2',
      token,
      profiles: profile === 'standard' ? [] : [profile],
    }),
  )
}

/** A check with an internal error is wrong at every level, and so is a failed check of the profile. */
function isWrong({ level, status }: Outcome): boolean {
  return status === 'broken' || (status === 'failed' && level !== 'MAY')
}

function explain({ id, finding, reason }: Outcome): unknown {
  return { id, ...finding, reason }
}
