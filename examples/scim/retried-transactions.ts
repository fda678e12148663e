// Runs a write again if the database has ended its transaction because of other writes.
import { ScimError } from '@plumbline/scim'
import { USER_DEFINITION } from '@plumbline/scim/discovery'
import {
  bearerTokens,
  createScimEndpoint,
  defineResourceType,
  issueToken,
  memoryStore,
  type Transaction,
} from '@plumbline/scim/endpoint'

/** Serialization failure and deadlock of PostgreSQL; deadlock and changed row of MySQL and MariaDB. */
const CONFLICTS: ReadonlySet<unknown> = new Set(['40001', '40P01', 1213, 1020])

export function isConflict(error: unknown): boolean {
  const { code, errno, cause } = Object(error)
  if (CONFLICTS.has(code) || CONFLICTS.has(errno)) return true
  // Query builders wrap the error of the driver.
  return cause !== undefined && isConflict(cause)
}

export function retried<Context>(transaction: Transaction<Context>): Transaction<Context> {
  return async (context, work) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await transaction(context, work)
      } catch (error) {
        if (attempt === 10 || !isConflict(error)) throw error
      }
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * attempt))
    }
  }
}

export function toScimError(error: unknown): ScimError | null {
  if (!isConflict(error)) return null
  return new ScimError(503, 'too many writes at the same time', { cause: error })
}

// A database that ends the first two transactions. Yours is
// `(context, work) => db.transaction((tx) => work({ ...context, tx }))`.
let transactions = 0
const transaction: Transaction<object> = async (context, work) => {
  transactions += 1
  if (transactions < 3) throw Object.assign(new Error('could not serialize'), { code: '40001' })
  return await work(context)
}

const store = memoryStore({ definitions: { [USER_DEFINITION.id]: USER_DEFINITION } })
const { token } = await issueToken()
const scim = createScimEndpoint<object>({
  basePath: '/',
  resourceTypes: [defineResourceType({ name: 'User', endpoint: '/Users', store })],
  authenticate: bearerTokens({ token, context: {} }),
  transaction: retried(transaction),
  toScimError,
  onError: (error) => console.error(error),
})
const request = new Request('https://example.com/Users', {
  method: 'POST',
  headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/scim+json' },
  body: JSON.stringify({ userName: 'anna' }),
})
const created = await scim.fetch(request)
created.status //=> 201
transactions //=> 3
