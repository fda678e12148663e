import type { Received } from '../../http/exchange.ts'
import { expectEqual, expectThat } from '../../toolkit/expect.ts'
import type { Server } from '../../toolkit/server.ts'

/** Requires that no response is an internal error, and the server still answers as at the start. */
export async function expectCalm(
  { get, documents }: Server,
  ...responses: readonly Received[]
): Promise<void> {
  for (const { status, request } of responses) {
    expectThat(status < 500, `a status below 500 for ${request.slice(0, 80)}`, status)
  }
  const { status } = await get('/ServiceProviderConfig')
  expectEqual(status, documents.config.status, 'the status of the next request')
}

/** Returns a sample user's JSON with more members. A text can have members an object cannot. */
export function userWith({ sample }: Server, members: string): string {
  return `${JSON.stringify(sample('User')).slice(0, -1)},${members}}`
}
