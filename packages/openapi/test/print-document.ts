import {
  createDocument,
  type DocumentOptions,
  defineOperation,
  stringify,
} from '@plumbline/openapi'
import { unwrap } from '@plumbline/result'
import { type } from 'arktype'

// ArkType counts the schemas that it creates, and names definitions by that number.
const before = Number(process.argv[2])
for (let count = 0; count < before; count += 1) type({ [`key${count}`]: `${count}` })

const { libraries } = await import('../src/lib/document/components/schemas.cases.ts')
const options: DocumentOptions = { info: { title: 'Books', version: '1' } }
for (const { name, ...schemas } of libraries) {
  const builder = createDocument(options)
  for (const [key, body] of Object.entries(schemas)) {
    const route = { method: 'PUT', pattern: `/${key}` }
    const responses = { 200: { description: 'Done', body } }
    builder.add(defineOperation(`${name}-${key}`, route, { summary: key, body, responses }))
  }
  process.stdout.write(unwrap(stringify(unwrap(builder.build()), { format: 'yaml' })))
}
const { tree } = type.module({ tree: { kids: 'tree[]' } })
process.stderr.write(
  JSON.stringify(tree['~standard'].jsonSchema.input({ target: 'draft-2020-12' })),
)
