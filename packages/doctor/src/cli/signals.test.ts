import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createReference, TOKEN } from '../../test/reference.ts'
import { listenerOf, serve } from '../../test/serve.ts'

const COMMAND = fileURLToPath(new URL('command.ts', import.meta.url))

/** Starts the command in a process of its own. The token is not one of its arguments. */
function start(url: string): ChildProcess {
  const args = [
    '--conditions=@plumbline/source',
    COMMAND,
    url,
    '--yes',
    '--rate',
    '1000',
    '--only',
    'filters',
  ]
  const env = { ...process.env, PLUMBLINE_DOCTOR_TOKEN: TOKEN }
  return spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
}

async function finish(child: ChildProcess): Promise<{ code: unknown; errors: string }> {
  let errors = ''
  child.stderr?.on('data', (chunk) => (errors += chunk))
  const [code] = await once(child, 'exit')
  return { code, errors }
}

describe('a signal', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s ends the examination, which deletes what it created',
    async (signal) => {
      const reference = createReference()
      let child: ChildProcess | null = null
      let created = 0
      await using served = await serve(
        listenerOf(async (request) => {
          const response = await reference(request)
          if (request.method === 'POST' && response.status === 201) created += 1
          // During the request that creates the third user. npx sends the signal twice.
          if (created === 3 && request.method === 'POST') for (const _ of '12') child?.kill(signal)
          return response
        }, 'https://scim.example'),
      )
      child = start(`${served.origin}/scim/v2`)
      const { code, errors } = await finish(child)
      expect(code).toBe(2)
      expect(errors).toMatch(/^plumbline-doctor: interrupted, deleting/)
      expect(errors).toMatch(/the examination was interrupted \(interrupted\), see \S+\n$/)
      const headers = { Authorization: `Bearer ${TOKEN}` }
      const users = await fetch(`${served.origin}/scim/v2/Users`, { headers })
      expect(await users.json()).toMatchObject({ totalResults: 1 })
      expect(created).toBeGreaterThanOrEqual(3)
    },
  )

  it('a second signal ends the command immediately', async () => {
    const reference = createReference()
    let timer: NodeJS.Timeout | undefined
    let child: ChildProcess | null = null
    await using served = await serve(
      listenerOf((request) => {
        if (request.method !== 'POST') return reference(request)
        // Signals within a second are one, so a busy machine needs more than two.
        timer ??= setInterval(() => child?.kill('SIGINT'), 300)
        return new Promise(() => undefined)
      }, 'https://scim.example'),
    )
    child = start(`${served.origin}/scim/v2`)
    const { code, errors } = await finish(child)
    clearInterval(timer)
    expect(code).toBe(2)
    expect(errors).toMatch(/resources whose names contain plumbline-\w+ may be left\n$/)
  })
})
