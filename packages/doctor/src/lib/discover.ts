import { ExaminationError } from './examination-error.ts'
import type { Received } from './http/exchange.ts'
import type { Documents } from './model/documents.ts'
import { readSchemas } from './model/read-schemas.ts'
import { readTypes } from './model/read-types.ts'
import type { ExaminedType } from './model/types.ts'
import type { Client } from './toolkit/client.ts'

/** The facts in a server's discovery documents (RFC 7644 §4). */
export interface Discovered {
  readonly documents: Documents
  readonly types: readonly ExaminedType[]
}

/**
 * Reads the discovery documents. Throws an ExaminationError if the server rejects the credentials, or if no response is
 * a SCIM document.
 */
export async function discover(client: Client): Promise<Discovered> {
  const config = await client.get('/ServiceProviderConfig')
  const resourceTypes = await client.get('/ResourceTypes')
  const schemas = await client.get('/Schemas')
  const documents = { config, resourceTypes, schemas }
  if (!Object.values(documents).some(isScim)) await requireScim(client)
  const definitions = readSchemas(schemas.json)
  return { documents, types: readTypes(resourceTypes.json, definitions) }
}

/** Some servers do not have discovery documents. Their users still show SCIM support. */
async function requireScim(client: Client): Promise<void> {
  const users = await client.get('/Users', { query: { count: 1 } })
  if (isScim(users)) return
  if (users.status === 401 || users.status === 403) {
    throw new ExaminationError('unauthorized', `${users.request}: ${users.status}; check the token`)
  }
  const type = users.headers.get('Content-Type') ?? 'without a media type'
  throw new ExaminationError(
    'not-scim',
    `${users.request}: ${users.status} ${type}; the URL must be the base of a SCIM endpoint, such as https://example.com/scim/v2`,
  )
}

function isScim({ status, body }: Received): boolean {
  return status === 200 && ('schemas' in body || 'Resources' in body)
}
