import type { HandlersOf } from '@plumbline/openapi/server'
import { eventKeys } from '../changes/event-keys.ts'
import type { AuthOptions } from '../kernel/access/authenticate.ts'
import type { apiDocument } from './operations.ts'
import type { ApiVerifiers } from './verifiers.ts'

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
