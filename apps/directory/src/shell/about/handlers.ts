import { version } from 'node:process'
import type { HandlersOf } from '@plumbline/openapi/server'
import type { RequestSources } from '../../features/log/handlers.ts'
import type { AuthOptions } from '../../kernel/access/authenticate.ts'
import { countTenants } from '../../kernel/access/tenant-store.ts'
import { VERSION } from '../../kernel/version.ts'
import type { ApiVerifiers } from '../api/verifiers.ts'
import type { apiDocument } from '../operations.ts'

type ApiHandlers = HandlersOf<typeof apiDocument, ApiVerifiers>

/** Handlers for server information. */
export function aboutHandlers(
  { store }: AuthOptions,
  { provisioning }: RequestSources,
): Pick<ApiHandlers, 'getAbout'> {
  return {
    getAbout: async ({ reply }) =>
      reply(200, {
        version: VERSION,
        runtime: `Node.js ${version.slice(1)}`,
        database: store.dialect.name,
        tenants: await store.read(countTenants),
        logsRequests: provisioning !== null,
      }),
  }
}
