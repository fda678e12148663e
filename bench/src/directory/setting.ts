import type { Directory } from '../../../apps/directory/src/app.ts'
import type { Store } from '../../../apps/directory/src/kernel/store/store.ts'
import type { Bare } from './bare.ts'
import type { Seeded } from './seeded.ts'

/** The database and the server the tables are measured on. */
export interface Setting extends Seeded {
  readonly what: string
  readonly store: Store
  readonly directory: Directory
  readonly bare: Bare
}

/** Sends a request in process; rejects if the response is not a success. */
export async function ask(
  { directory, token }: Pick<Setting, 'directory' | 'token'>,
  method: string,
  path: string,
  body?: object,
): Promise<Readonly<Record<string, unknown>>> {
  const request = new Request(`http://localhost/scim/v2${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/scim+json' },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const response = await directory.fetch(request)
  const text = await response.text()
  if (!response.ok)
    throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`)
  return text === '' ? {} : JSON.parse(text)
}
