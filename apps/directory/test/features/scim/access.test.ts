import { ScimError } from '@plumbline/scim'
import { expect, it } from 'vitest'
import { challengeOf, requireAccess } from '../../../src/features/scim/access.ts'
import { ROOT } from '../../../src/kernel/access/authenticate.ts'

const BASE = 'http://localhost/scim/v2'
/** The error of a request with a token; null if it is permitted. */
function errorOf(method: string, path: string, access: 'read' | 'write' = 'read'): unknown {
  try {
    requireAccess(new Request(`${BASE}${path}`, { method }), { ...ROOT, access })
    return null
  } catch (error) {
    return error
  }
}

it.each([
  ['GET', '/Users'],
  ['HEAD', '/Users/1'],
  ['POST', '/Users/.search'],
  ['POST', '/.search/?a=b'],
])('a read-only token permits %s %s (RFC 7644 §3.4)', (method, path) => {
  expect(errorOf(method, path)).toBeNull()
})

it.each([
  ['POST', '/Users'],
  ['POST', '/Users?a=/.search'],
  ['POST', '/Users/.search/x'],
  ['POST', '/Users/.searches'],
  ['POST', '/Users/x.search'],
  ['POST', '/Bulk'],
  ['PUT', '/Users/.search'],
  ['DELETE', '/Users/1'],
  ['OPTIONS', '/Users'],
])('only a token with write access permits %s %s', (method, path) => {
  const error = errorOf(method, path)
  expect(error).toMatchObject({ status: 403, message: 'this token may only read' })
  expect(errorOf(method, path, 'write')).toBeNull()
})

it('only the answer to a read-only token has a challenge (RFC 6750 §3.1)', () => {
  const error = errorOf('POST', '/Users')
  const challenge = error instanceof ScimError ? challengeOf(error) : null
  expect(challenge).toBe('Bearer error="insufficient_scope"')
  expect(challengeOf(new ScimError(403, 'this token may only read'))).toBeNull()
  expect(challengeOf(null)).toBeNull()
})
