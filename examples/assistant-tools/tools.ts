/** Tools of an assistant, in the form of the Model Context Protocol, made of the operations of a document. */
import type { DocumentBuilder, OpenAPI, OperationsById } from '@plumbline/openapi'
import { unwrap } from '@plumbline/openapi'
import { createClient, createManifest } from '@plumbline/openapi/client'

/** A tool: an operation with the JSON Schema of its input. */
export interface Tool {
  readonly name: string
  readonly description: string
  readonly inputSchema: { readonly type: 'object'; readonly [keyword: string]: unknown }
}

type Document = Pick<DocumentBuilder, 'build' | 'operations' | 'problems' | 'defaults'>

/** The tools of the operations with these ids. What is not listed cannot be called. */
export function listTools(builder: Document, ids: readonly string[]): readonly Tool[] {
  const { paths = {}, components = {} } = unwrap(builder.build())
  const operations = Object.values(paths).flatMap((item): OpenAPI.Operation[] =>
    Object.values(item),
  )
  return operations
    .filter(({ operationId = '' }) => ids.includes(operationId))
    .map((operation) => toolOf(operation, components.schemas ?? {}))
}

type Schemas = Readonly<Record<string, unknown>>

function toolOf(operation: OpenAPI.Operation, schemas: Schemas): Tool {
  const { operationId = '', summary = '', description = '', requestBody } = operation
  const properties: Record<string, unknown> = {}
  const required: string[] = []
  for (const [part, location] of [
    ['params', 'path'],
    ['query', 'query'],
  ] as const) {
    const all = (operation.parameters ?? []).flatMap((one) => ('in' in one ? [one] : []))
    const own = all.filter((one) => one.in === location)
    if (own.length === 0) continue
    const needed = own.filter((one) => one.required).map(({ name }) => name)
    properties[part] = {
      type: 'object',
      properties: Object.fromEntries(own.map(({ name, schema }) => [name, schema])),
      required: needed,
    }
    if (needed.length > 0) required.push(part)
  }
  if (requestBody !== undefined && 'content' in requestBody) {
    properties.body = requestBody.content['application/json']?.schema
    if (requestBody.required) required.push('body')
  }
  const $defs = definitionsOf(properties, schemas)
  const input = { type: 'object', properties, required, $defs }
  // The schemas of a document refer to its components. Those of a tool are complete.
  const text = JSON.stringify(input).replaceAll('"#/components/schemas/', '"#/$defs/')
  return {
    name: operationId,
    description: [summary, description].filter((one) => one !== '').join('. '),
    inputSchema: JSON.parse(text),
  }
}

/** The components that schemas refer to, and those that these refer to. */
function definitionsOf(properties: object, schemas: Schemas): Schemas {
  const found: Record<string, unknown> = {}
  const waiting: unknown[] = [properties]
  for (const next of waiting) {
    for (const [, name = ''] of JSON.stringify(next).matchAll(REFERENCE)) {
      if (Object.hasOwn(found, name)) continue
      found[name] = schemas[name]
      waiting.push(schemas[name])
    }
  }
  return found
}

const REFERENCE = /"#\/components\/schemas\/([^"]+)"/g

/** The result of a call, as an assistant reads it. */
export interface ToolResult {
  readonly content: { readonly type: 'text'; readonly text: string }[]
  readonly isError: boolean
}

/** Calls operations as any client does: by requests, which the API authenticates, parses and answers. */
export function createCaller(
  builder: Document,
  ids: readonly string[],
  fetch: (request: Request) => Promise<Response>,
): (name: string, input: object) => Promise<ToolResult> {
  const { operations, ...manifest } = createManifest(builder)
  const chosen = Object.entries(operations).filter(([id]) => ids.includes(id))
  const tools = { ...manifest, operations: Object.fromEntries(chosen) }
  const send = (url: string, init: RequestInit) => fetch(new Request(url, init))
  const options = { baseUrl: 'http://localhost', fetch: send }
  // An assistant chooses the name and the input, so that their types are not known.
  const client = createClient<OperationsById>(tools, options) as unknown as Functions
  return async (name, input) => {
    const call = Object.hasOwn(client, name) ? client[name] : undefined
    if (call === undefined) throw new TypeError(`unknown tool: ${name}`)
    const { status, body } = await call(input)
    const text = body === undefined ? `Status ${status}` : JSON.stringify(body)
    return { content: [{ type: 'text', text }], isError: status >= 400 }
  }
}

type Functions = Readonly<Record<string, (input: object) => Promise<Answer>>>
type Answer = { readonly status: number; readonly body: unknown }
