import type { OpenAPI } from '@plumbline/openapi'
import { printBudget, ratiosOf } from '../budget.ts'
import { compare } from '../compare.ts'
import { BUILDERS, type Plan, plans } from '../documents.ts'
import { amount } from '../short.ts'

export async function run(): Promise<void> {
  const few = await building(amount(50, 2))
  const many = await building(amount(1_000, 40))
  const limit = { of: 'Build a document of 1,000 operations', against: 'one of 50', atMost: 20 }
  printBudget(limit, ratiosOf(many, few))
}

async function building(count: number): Promise<readonly number[]> {
  const prepare = (): readonly Plan[] => plans(count)
  return await compare(
    `Build a document of ${count} operations over 100 named zod schemas`,
    Object.entries(BUILDERS).map(([name, run]) => {
      const differs = DIFFERENCES[name]
      return { name, prepare, run, answer, ...(differs === undefined ? {} : { differs }) }
    }),
    {
      // Few schemas at a time: waiting schemas are work for the garbage collector.
      rounds: count < 100 ? 31 : 15,
      milliseconds: 50,
      budgets: [
        { against: 'the floor: convert the schemas, assemble plain objects', atMost: 1.3 },
        { against: 'zod-openapi', atMost: 1 },
        { against: '@hono/zod-openapi', atMost: 1 },
        { against: 'zod-to-openapi', atMost: 1 },
      ],
    },
  )
}

/** How the documents are known to differ. */
const DIFFERENCES: Readonly<Record<string, string>> = {
  'zod-openapi': 'an input and an output of each schema',
  oRPC: 'inlines every schema',
}

/** A document's operations, parameters and named schemas, which each library writes differently. */
function answer({ paths = {}, components = {} }: OpenAPI.Document): unknown {
  const items: [string, OpenAPI.PathItem][] = Object.entries(paths)
  const operations = items.map(([path, { post }]) => ({
    path,
    operationId: post?.operationId,
    parameters: post?.parameters?.map((one) => ('in' in one ? `${one.in} ${one.name}` : one.$ref)),
    body: post?.requestBody !== undefined,
    responses: Object.keys(post?.responses ?? {}),
  }))
  return { operations, schemas: Object.keys(components.schemas ?? {}).sort() }
}
