import { expect, it } from 'vitest'
import { serve } from './testing/serve.ts'

const headers = (request: Request) => ({ 'X-Request-Id': request.headers.get('X-Id') ?? 'new' })

it.each([
  ['GET', '/Users', 200],
  ['HEAD', '/Users', 200],
  ['GET', '/Users/missing', 404],
  ['HEAD', '/Users/missing', 404],
  ['GET', '/Nothing', 404],
  ['PUT', '/Users', 405],
])('headers of the application are part of the answer to %s %s', async (method, path, status) => {
  const { send } = serve({ headers })
  const response = await send(method, path, undefined, { 'X-Id': 'a1' })
  expect(response.status).toBe(status)
  expect(response.headers.get('X-Request-Id')).toBe('a1')
})

it('headers of the application do not replace those of the endpoint', async () => {
  const { send } = serve({ headers: () => ({ 'Cache-Control': 'public', ETag: 'W/"other"' }) })
  const created = await send('POST', '/Users', { userName: 'a' })
  expect(created.headers.get('Cache-Control')).toBe('no-store')
  expect(created.headers.get('ETag')).not.toBe('W/"other"')
})

it('an error of headers is a 500 without them, and reaches onError', async () => {
  const errors: unknown[] = []
  const { send } = serve({
    headers: () => {
      throw new RangeError('no id')
    },
    onError: (error) => errors.push(error),
  })
  const response = await send('GET', '/Users')
  expect(response.status).toBe(500)
  expect(response.headers.get('X-Request-Id')).toBeNull()
  expect(errors).toEqual([new RangeError('no id')])
})
