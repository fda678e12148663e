import { examine, type ProfileName } from '@plumbline/doctor'
import { unwrap } from '@plumbline/result'
import type { ScimEndpoint } from '@plumbline/scim/endpoint'

/** Fails if the doctor finds a fault of a program's endpoint at `/scim/v2`, as a client of its profile. */
export async function examineProgram(
  place: string,
  { fetch }: ScimEndpoint,
  { token, profile }: { readonly token: string; readonly profile: ProfileName },
): Promise<void> {
  const base = 'https://example.com/scim/v2'
  const limits = { timeout: 60_000 }
  const { outcomes } = unwrap(await examine(fetch, { base, token, profiles: [profile], limits }))
  const failed = outcomes.filter(
    ({ status, level }) => status === 'broken' || (status === 'failed' && level !== 'MAY'),
  )
  if (failed.length === 0) return
  const findings = failed.map(({ id, finding }) => `${id}: ${JSON.stringify(finding)}`)
  throw new Error(
    `${place}: the doctor finds, with the profile ${profile}:\n${findings.join('\n')}`,
  )
}
