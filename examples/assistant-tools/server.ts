/** A server of the Model Context Protocol with two operations of the API as tools. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { api, builder } from './api.ts'
import { createCaller, listTools } from './tools.ts'

// An assistant cannot delete books.
const chosen = ['findBooks', 'saveBook']
const tools = [...listTools(builder, chosen)]
const call = createCaller(builder, chosen, api.fetch)

export const server = new Server(
  { name: 'books', version: '1.0.0' },
  { capabilities: { tools: {} } },
)
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }))
server.setRequestHandler(CallToolRequestSchema, async ({ params }) => ({
  ...(await call(params.name, params.arguments ?? {})),
}))
