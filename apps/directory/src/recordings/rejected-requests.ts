import { replay } from '@plumbline/doctor'
import { isFailure } from '@plumbline/result'
import type { Discovery } from '@plumbline/scim/discovery'
import {
  ENTERPRISE_USER_DEFINITION,
  GROUP_DEFINITION,
  USER_DEFINITION,
} from '@plumbline/scim/discovery'
import {
  createScimEndpoint,
  defineResourceType,
  memoryStore,
  PROFILES,
  type Profile as Protocol,
} from '@plumbline/scim/endpoint'
import { memoize } from '../memoize.ts'
import { type Profile, profileOf } from '../profiles.ts'
import { readRuns } from './provider-runs.ts'

/** A recorded Okta or Entra ID request, rejected by a profile. */
export interface RejectedRequest {
  /** The run's name, such as `okta-patch`. */
  readonly run: string
  /** The run's step, such as `deactivate the user`. */
  readonly name: string
  /** The method and the path. */
  readonly request: string
  /** The reason, as the provider would get it. */
  readonly detail: string
}

/**
 * Finds recorded Okta and Entra ID requests that a profile rejects but the provider's profile accepts. They are sent
 * once to an endpoint in memory.
 */
export async function findRejectedRequests(profile: Profile): Promise<readonly RejectedRequest[]> {
  return await rejectedBy(PROFILES[profile])
}

const { get: rejectedBy } = memoize(sendRecorded)

async function sendRecorded(profile: Protocol): Promise<readonly RejectedRequest[]> {
  const found: RejectedRequest[] = []
  for (const [run, recorded] of readRuns()) {
    const own = profileOf(recorded.profile)
    // Runs that need a tenant's extension schema depend on more than the profile.
    if (own === 'standard' || recorded.extensions.length > 0) continue
    const endpoint = serveBoth({ own: PROFILES[own], examined: profile })
    let position = 0
    const answer = async (request: Request): Promise<Response> => {
      const step = recorded.steps[position]
      position += 1
      const examined = await endpoint(request.clone(), 'examined')
      if (examined.status < 400 || (step?.expect.status ?? 400) >= 400) return examined
      // A rejected request has changed nothing, so this one lets later requests find their resources.
      const accepted = await endpoint(request, 'own')
      if (accepted.status >= 400) return accepted
      const { detail } = await examined.json()
      const path = new URL(request.url).pathname.replace(/^\/scim\/v2/, '')
      const name = step?.name ?? ''
      found.push({ run, name, request: `${request.method} ${path}`, detail })
      return accepted
    }
    const replayed = await replay(answer, recorded)
    if (isFailure(replayed)) throw replayed.error
  }
  return found
}

/** Creates an endpoint that serves requests with either the provider's profile or the examined one. */
function serveBoth(profiles: Readonly<Record<Which, Protocol>>) {
  const groupDefinitions = { [GROUP_DEFINITION.id]: GROUP_DEFINITION }
  const userDefinitions: Discovery.Definitions = {
    [USER_DEFINITION.id]: USER_DEFINITION,
    [ENTERPRISE_USER_DEFINITION.id]: ENTERPRISE_USER_DEFINITION,
  }
  const groups = memoryStore({ definitions: groupDefinitions })
  const users = memoryStore({ definitions: userDefinitions, groups })
  const { fetch } = createScimEndpoint<{ readonly which: Which }>({
    basePath: '/scim/v2',
    resourceTypes: [
      defineResourceType({ name: 'User', endpoint: '/Users', store: users }),
      defineResourceType({ name: 'Group', endpoint: '/Groups', store: groups }),
    ],
    authenticate: async ({ headers }) => ({ which: headers.has(OWN) ? 'own' : 'examined' }),
    profile: ({ which }) => profiles[which],
  })
  return (request: Request, which: Which): Promise<Response> => {
    const sent = new Request(request)
    if (which === 'own') sent.headers.set(OWN, '1')
    return fetch(sent)
  }
}

type Which = 'own' | 'examined'
const OWN = 'X-Own-Profile'
