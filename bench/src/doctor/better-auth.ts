/** Serves users and groups in memory with better-auth's SCIM plugin, as its documentation teaches. */
import { randomBytes } from 'node:crypto'
import { scim } from '@better-auth/scim'
import { serve } from '@hono/node-server'
import { type BetterAuthOptions, betterAuth } from 'better-auth'
import { memoryAdapter } from 'better-auth/adapters/memory'
import { getAuthTables } from 'better-auth/db'
import { TOKEN } from './token.ts'

let handler: (request: Request) => Promise<Response>
const server = serve(
  { fetch: (request) => handler(request), hostname: '127.0.0.1', port: 0 },
  ({ port }) => {
    const origin = `http://127.0.0.1:${port}`
    handler = createAuth(origin).handler
    process.send?.(`${origin}/api/auth/scim/v2`)
  },
)
server.on('error', (error) => {
  throw error
})

/** The server with in-memory tables. */
function createAuth(origin: string) {
  const credential = { type: 'bearer', id: 'bench', token: TOKEN } as const
  const options: BetterAuthOptions = {
    baseURL: origin,
    secret: randomBytes(32).toString('base64'),
    // The declared type has possibly undefined properties, which exactOptionalPropertyTypes rejects.
    plugins: [scim({ connections: [{ id: 'bench', credentials: [credential] }] }) as never],
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
  }
  const tables = Object.values(getAuthTables(options)).map(({ modelName }) => [modelName, []])
  return betterAuth({ ...options, database: memoryAdapter(Object.fromEntries(tables)) })
}
