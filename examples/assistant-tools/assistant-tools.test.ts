import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { server } from './server.ts'

const assistant = new Client({ name: 'test', version: '1.0.0' })
before(async () => {
  const [own, other] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(other), assistant.connect(own)])
})
after(() => assistant.close())

const call = async (name: string, input: Record<string, unknown>) => {
  const { content, isError } = await assistant.callTool({ name, arguments: input })
  const [{ text }] = content as [{ text: string }]
  return { isError, text }
}

test('only the chosen operations are tools, with the JSON Schema of their input', async () => {
  const { tools } = await assistant.listTools()
  assert.deepEqual(
    tools.map(({ name, description }) => [name, description]),
    [
      ['findBooks', 'Find books by a word of their title'],
      ['saveBook', 'Save a book. Replaces the book if it exists.'],
    ],
  )
  assert.deepEqual(tools[1]?.inputSchema, {
    type: 'object',
    properties: {
      params: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
      body: { $ref: '#/$defs/Book' },
    },
    required: ['params', 'body'],
    $defs: {
      Book: {
        type: 'object',
        properties: {
          title: { type: 'string', minLength: 1 },
          pages: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
        },
        required: ['title', 'pages'],
      },
    },
  })
})

test('a call goes through the parser of its operation, which also applies defaults', async () => {
  const saved = { title: 'Emma and others', pages: 7 }
  await call('saveBook', { params: { id: 'b2' }, body: saved })
  const { isError, text } = await call('findBooks', { query: { word: 'Emma' } })
  assert.equal(isError, false)
  assert.deepEqual(JSON.parse(text), [{ title: 'Emma', pages: 320 }, saved])
})

test('the assistant reads why its input is invalid', async () => {
  const { isError, text } = await call('saveBook', { params: { id: 'b3' }, body: { title: '' } })
  assert.equal(isError, true)
  const { status, errors } = JSON.parse(text)
  assert.equal(status, 422)
  assert.deepEqual(
    errors.map((one: { pointer: string }) => one.pointer),
    ['/title', '/pages'],
  )
})

test('an operation that was not chosen cannot be called', async () => {
  await assert.rejects(call('deleteBook', { params: { id: 'b1' } }), /unknown tool: deleteBook/)
})
