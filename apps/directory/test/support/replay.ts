import { type Run, replay } from '@plumbline/doctor'
import { unwrap } from '@plumbline/result'
import type { Client } from './harness.ts'

/** The server that a run is played against, and the token of the provider. */
export type Replayed =
  | Pick<Client, 'directory' | 'token'>
  | { readonly origin: string; readonly token: string }

/** Plays a run; throws an error with the run and the first step whose response differs. */
export async function replayRun(name: string, run: Run, server: Replayed): Promise<void> {
  const { token } = server
  const base = `${'origin' in server ? server.origin : 'http://localhost'}/scim/v2`
  const limits = { rate: Number.POSITIVE_INFINITY }
  const target = 'origin' in server ? base : (request: Request) => server.directory.fetch(request)
  const { steps, left } = unwrap(await replay(target, run, { token, base, limits }))
  const wrong = steps.find(({ status }) => status !== 'same')
  if (wrong !== undefined) {
    throw new Error([`${name}, step "${wrong.name}":`, ...wrong.differences].join('\n  '))
  }
  if (left.length > 0) throw new Error(`${name} left ${left.join(', ')}`)
}
