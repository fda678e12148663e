import type { HandlersOf } from '@plumbline/openapi/server'
import type { AuthOptions } from '../../kernel/access/authenticate.ts'
import type { ApiVerifiers } from '../../shell/api/verifiers.ts'
import type { apiDocument } from '../../shell/operations.ts'
import { eventKeys } from './event-keys.ts'

type ApiHandlers = HandlersOf<typeof apiDocument, ApiVerifiers>

/** Handlers for the keys of Security Event Tokens. */
export function eventHandlers({ store, now }: AuthOptions): Pick<ApiHandlers, 'getKeys'> {
  return {
    getKeys: async ({ reply }) => {
      const { published } = await eventKeys(store, now())
      return reply(200, { keys: [...published] })
    },
  }
}
