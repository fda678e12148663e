import { expect, it } from 'vitest'
import { PROFILE_NAMES } from '../../src/profiles.ts'
import { readRuns } from '../../src/recordings/provider-runs.ts'
import { findRejectedRequests } from '../../src/recordings/rejected-requests.ts'

it('the recorded requests of every provider exist', () => {
  expect([...readRuns().keys()]).toEqual([
    'entra-aadOptscim062020',
    'entra-custom-extension',
    'entra-legacy',
    'generic',
    'jumpcloud',
    'okta-custom-attribute',
    'okta-patch',
    'okta-put',
    'onelogin',
    'ping',
  ])
})

it.each(PROFILE_NAMES)(
  'the profile %s rejects these requests of Okta and Entra ID',
  async (profile) => {
    const rejected = await findRejectedRequests(profile)
    expect(rejected.map(({ run, name, detail }) => `${run}: ${name}: ${detail}`)).toMatchSnapshot()
  },
)
