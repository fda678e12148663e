import { OpenAPIRegistry, OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi'
import { createRoute, OpenAPIHono } from '@hono/zod-openapi'
import { OpenAPIGenerator } from '@orpc/openapi'
import { os } from '@orpc/server'
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4'
import { createDocument, defineOperation } from '@plumbline/openapi'
import { unwrap } from '@plumbline/result'
import { z } from 'zod'
import { createDocument as createZodOpenapi } from 'zod-openapi'

const info = { title: 'Books', version: '1.0.0' }

/** One operation, independent of any library. */
export interface Plan {
  readonly name: string
  readonly path: string
  readonly params: z.ZodObject
  readonly query: z.ZodObject
  readonly body: z.ZodObject
  readonly response: z.ZodObject
}

/** How each library builds a document from the same operations. */
export const BUILDERS = {
  '@plumbline/openapi': ours,
  'the floor: convert the schemas, assemble plain objects': floor,
  'zod-openapi': zodOpenapi,
  '@hono/zod-openapi': honoZodOpenapi,
  'zod-to-openapi': zodToOpenapi,
  oRPC: orpc,
} as const

/** Creates new schemas each time, so they are not in a cache. */
export function plans(count: number): readonly Plan[] {
  const named = Array.from({ length: 100 }, (_, at) =>
    z
      .object({
        id: z.string(),
        title: z.string().min(1).max(200),
        pages: z.int().min(1),
        price: z.number().optional(),
        tags: z.array(z.string()),
        state: z.enum(['new', 'used']),
        author: z.object({ name: z.string(), born: z.iso.date().optional() }),
      })
      .meta({ id: `Book${at}` }),
  )
  return Array.from({ length: count }, (_, at) => {
    const response = named[at % 100] as z.ZodObject
    const query = z.object({ page: z.int().min(1).optional(), tag: z.array(z.string()).optional() })
    return {
      name: `operation${at}`,
      path: `/shelf${at}`,
      params: z.object({ id: z.string() }),
      query,
      body: z.object({ book: response, note: z.string().optional() }),
      response,
    }
  })
}

function ours(all: readonly Plan[]): unknown {
  const operations = all.map(({ name, path, params, query, body, response }) =>
    defineOperation(name, { method: 'POST', pattern: `${path}/:id` } as const, {
      summary: name,
      params: params as z.ZodObject<{ id: z.ZodString }>,
      query,
      body,
      responses: { 200: { description: 'The book', body: response } },
    }),
  )
  return unwrap(
    createDocument({ info })
      .add(...operations)
      .build(),
  )
}

function floor(all: readonly Plan[]): unknown {
  const schemas: Record<string, unknown> = {}
  const converted = new Map<z.ZodObject, unknown>()
  const convert = (schema: z.ZodObject): unknown => {
    const known = converted.get(schema)
    if (known) return known
    const { $schema, $defs, ...own } = schema['~standard'].jsonSchema.input({
      target: 'draft-2020-12',
    })
    Object.assign(schemas, $defs)
    converted.set(schema, own)
    return own
  }
  const paths: Record<string, unknown> = {}
  for (const { name, path, params, query, body, response } of all) {
    const parameters = [
      ...Object.entries(Object(convert(params)).properties ?? {}).map(([key, schema]) => ({
        name: key,
        in: 'path',
        required: true,
        schema,
      })),
      ...Object.entries(Object(convert(query)).properties ?? {}).map(([key, schema]) => ({
        name: key,
        in: 'query',
        schema,
      })),
    ]
    paths[`${path}/{id}`] = {
      post: {
        operationId: name,
        parameters,
        requestBody: { content: { 'application/json': { schema: convert(body) } } },
        responses: {
          200: {
            description: 'The book',
            content: { 'application/json': { schema: convert(response) } },
          },
        },
      },
    }
  }
  return { openapi: '3.1.1', info, paths, components: { schemas } }
}

function zodOpenapi(all: readonly Plan[]): unknown {
  return createZodOpenapi({
    openapi: '3.1.1',
    info,
    paths: Object.fromEntries(
      all.map(({ name, path, params, query, body, response }) => [
        `${path}/{id}`,
        {
          post: {
            operationId: name,
            requestParams: { path: params, query },
            requestBody: { content: { 'application/json': { schema: body } } },
            responses: {
              200: {
                description: 'The book',
                content: { 'application/json': { schema: response } },
              },
            },
          },
        },
      ]),
    ),
  })
}

function routeOf({ name, path, params, query, body, response }: Plan) {
  return {
    method: 'post' as const,
    path: `${path}/{id}`,
    operationId: name,
    request: { params, query, body: { content: { 'application/json': { schema: body } } } },
    responses: {
      200: {
        description: 'The book',
        content: { 'application/json': { schema: response } },
      },
    },
  }
}

function honoZodOpenapi(all: readonly Plan[]): unknown {
  const app = new OpenAPIHono()
  for (const plan of all) app.openAPIRegistry.registerPath(createRoute(routeOf(plan)))
  return app.getOpenAPI31Document({ openapi: '3.1.1', info })
}

function zodToOpenapi(all: readonly Plan[]): unknown {
  const registry = new OpenAPIRegistry()
  for (const plan of all) registry.registerPath(routeOf(plan))
  return new OpenApiGeneratorV31(registry.definitions).generateDocument({ openapi: '3.1.1', info })
}

const orpcGenerator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] })

async function orpc(all: readonly Plan[]): Promise<unknown> {
  const router = Object.fromEntries(
    all.map(({ name, path, params, query, body, response }) => [
      name,
      os
        .route({ method: 'POST', path: `/${path.slice(1)}/{id}`, inputStructure: 'detailed' })
        .input(z.object({ params, query, body }))
        .output(response)
        .handler(({ input }) => input.body as never),
    ]),
  )
  return await orpcGenerator.generate(router, { info })
}
