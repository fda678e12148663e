import { unwrap } from '@plumbline/result'
import { GROUP_DEFINITION, USER_DEFINITION } from '@plumbline/scim/discovery'
import {
  createScimEndpoint,
  defineResourceType,
  memoryStore,
  PROFILES,
  type ProfileName,
} from '@plumbline/scim/endpoint'
import { expect, it } from 'vitest'
import { examine, type Outcome } from '../src/index.ts'
import { PROFILE_NAMES } from '../src/lib/profiles.ts'
import { REPEATING } from './prove.ts'
import { useQuickDigests } from './quick-digests.ts'

useQuickDigests()

type Fetch = (request: Request) => Promise<Response>

/** The outcomes of an examination as a client of a profile. */
async function examineAs(
  fetch: Fetch,
  name: ProfileName,
  base: string,
): Promise<readonly Outcome[]> {
  const profiles = PROFILE_NAMES.filter((one) => one === name)
  // The contract of stores examines memoryStore with each attribute.
  const skip = REPEATING
  const options = { base, token: 'secret', profiles, skip, limits: { timeout: 60_000 } }
  const { outcomes, left } = unwrap(await examine(fetch, options))
  expect(left).toEqual([])
  return outcomes
}

const findingsOf = (outcomes: readonly Outcome[]) =>
  outcomes
    .filter(({ status, level }) => status === 'broken' || (status === 'failed' && level !== 'MAY'))
    .map(({ id, finding }) => ({ id, ...finding }))

const NAMES = Object.keys(PROFILES).filter((name): name is ProfileName =>
  Object.hasOwn(PROFILES, name),
)

it.each(NAMES)('an endpoint in memory passes every check in its profile %s', async (profile) => {
  const groups = memoryStore({ definitions: { [GROUP_DEFINITION.id]: GROUP_DEFINITION } })
  const users = memoryStore({ definitions: { [USER_DEFINITION.id]: USER_DEFINITION }, groups })
  const { fetch } = createScimEndpoint({
    basePath: '/scim/v2',
    resourceTypes: [
      defineResourceType({ name: 'User', endpoint: '/Users', store: users }),
      defineResourceType({ name: 'Group', endpoint: '/Groups', store: groups }),
    ],
    authenticate: async ({ headers }) =>
      headers.get('Authorization') === 'Bearer secret' ? { client: 'example' } : null,
    profile,
  })
  const outcomes = await examineAs(fetch, profile, 'https://example.com/scim/v2')
  expect(findingsOf(outcomes)).toEqual([])
  const passed = new Set(outcomes.flatMap(({ id, status }) => (status === 'passed' ? [id] : [])))
  // IPSIE draft 00 §6.1.5 (P32): every store has pages by cursor (RFC 9865).
  expect(passed.has('cursors.walk')).toBe(true)
  expect(passed.has('ipsie.cursors')).toBe(profile === 'ipsie-al2')
})
