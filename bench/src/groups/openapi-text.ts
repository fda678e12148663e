import { type OpenAPI, parse, stringify } from '@plumbline/openapi'
import { unwrap } from '@plumbline/result'
import { validate as scalarValidate } from '@scalar/openapi-parser'
import { dump, load } from 'js-yaml'
import YAML from 'yaml'
import { compare } from '../compare.ts'
import { amount } from '../short.ts'

export async function run(): Promise<void> {
  const document = documentOf(amount(2_000, 20))
  const json = JSON.stringify(document, null, 2)
  const yaml = unwrap(stringify(document, { format: 'yaml' }))
  const size = `a document of 2,000 operations (${(json.length / 1e6).toFixed(1)} MB as JSON)`
  await compare(
    `Read ${size} from JSON`,
    [
      { name: '@plumbline/openapi', run: () => unwrap(parse(json)) },
      { name: 'JSON.parse', run: () => JSON.parse(json) },
      { name: '@scalar/openapi-parser', run: () => scalarValidate(json), answer: specification },
    ],
    { rounds: 5, budgets: [{ against: 'JSON.parse', atMost: 1.2 }] },
  )
  await compare(
    `Read ${size} from YAML`,
    [
      { name: '@plumbline/openapi', run: () => unwrap(parse(yaml)) },
      { name: 'js-yaml', run: () => load(yaml) },
      { name: 'yaml', run: () => YAML.parse(yaml) },
    ],
    { rounds: 5, budgets: [{ against: 'js-yaml', atMost: 1.2 }] },
  )
  await compare(
    `Write ${size}`,
    [
      { name: '@plumbline/openapi, JSON', run: () => unwrap(stringify(document)), answer: load },
      { name: 'JSON.stringify', run: () => JSON.stringify(document, null, 2), answer: load },
      {
        name: '@plumbline/openapi, YAML',
        run: () => unwrap(stringify(document, { format: 'yaml' })),
        answer: load,
      },
      { name: 'js-yaml', run: () => dump(document), answer: load },
      { name: 'yaml', run: () => YAML.stringify(document), answer: load },
    ],
    { rounds: 5 },
  )
}

function specification(read: Awaited<ReturnType<typeof scalarValidate>>): unknown {
  return read.specification
}

function documentOf(count: number): OpenAPI.Document {
  const paths: Record<string, OpenAPI.PathItem> = {}
  for (let at = 0; at < count; at += 1) {
    paths[`/shelves/${at}/books/{id}`] = {
      get: {
        operationId: `readBook${at}`,
        summary: `Read a book of shelf ${at}`,
        description: 'Gives the book as it stands: "title", author and the year 2026-11-21.',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string', minLength: 1 } },
          { name: 'page', in: 'query', schema: { type: 'integer', minimum: 1 } },
        ],
        responses: {
          200: {
            description: 'The book',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Book' } } },
          },
          404: { description: 'No such book' },
        },
      },
    }
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Books', version: '1.0.0' },
    paths,
    components: {
      schemas: {
        Book: {
          type: 'object',
          properties: { title: { type: 'string' }, pages: { type: 'integer' } },
          required: ['title'],
        },
      },
    },
  }
}
