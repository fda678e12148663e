import { success, unwrap } from '@plumbline/result'
import { expect, it, vi } from 'vitest'
import { createDocument } from '../document/build.ts'

it('a document is written as JSON without the YAML library', async () => {
  vi.resetModules()
  vi.doMock('../text/stringify.ts', () => {
    throw new Error('loaded')
  })
  const { openapiHandler } = await import('./handler.ts')
  vi.doUnmock('../text/stringify.ts')
  const document = unwrap(createDocument({ info: { title: 'Books', version: '1.0.0' } }).build())
  const response = await openapiHandler(() => success(document))(
    new Request('http://localhost/openapi.json'),
  )
  expect([response.status, await response.json()]).toEqual([200, document])
})
