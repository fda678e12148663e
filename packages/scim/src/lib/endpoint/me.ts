import { ScimError } from '../error.ts'
import type { Answer, Handler } from './core/exchange.ts'
import { requireOwnId } from './options/faults.ts'
import { ANY, FUNCTION, required, requireMembers } from './options/forms.ts'
import type { ServedType } from './options/resource-type.ts'
import type { MeOptions, ScimEndpointOptions } from './options.ts'

// RFC 7644 §3.11: `/Me` is an alias for the client's resource.

/** The resource type behind `/Me`, and the id of a client's resource. */
export interface Me<Context> {
  readonly type: ServedType<Context>
  readonly idOf: (context: Context) => string | null
}

/** Finds the resource type for `/Me`. Returns null if the endpoint does not support it. */
export function prepareMe<Context extends object>(
  { me }: ScimEndpointOptions<Context>,
  types: readonly ServedType<Context>[],
): Me<Context> | null {
  if (me === undefined) return null
  requireMembers<MeOptions<never>>('me', me, { resourceType: ANY, id: required(FUNCTION) })
  const { resourceType = 'User', id } = me
  const type = types.find(({ name }) => name === resourceType)
  if (type === undefined) throw new TypeError(`me: the resource type ${resourceType} is unknown`)
  return { type, idOf: id }
}

/** Creates the `/Me` handlers. Each runs its resource type's handler with the client's id. */
export function meHandlers<Context>(
  { idOf }: Me<Context>,
  handlers: Readonly<Record<string, Handler<Context>>>,
): Readonly<Record<string, Handler<Context>>> {
  const own = Object.entries(handlers).map(([method, handle]): [string, Handler<Context>] => [
    method,
    async (exchange) => {
      const id = requireOwnId(idOf(exchange.context))
      return await handle({ ...exchange, id })
    },
  ])
  return Object.fromEntries(own)
}

async function rejectMe(): Promise<Answer> {
  throw new ScimError(501, 'this endpoint does not support /Me')
}

/** RFC 7644 §3.11: a service provider without `/Me` answers 501. */
export const NOT_IMPLEMENTED: Readonly<Record<string, () => Promise<Answer>>> = {
  GET: rejectMe,
  PUT: rejectMe,
  PATCH: rejectMe,
  DELETE: rejectMe,
}
