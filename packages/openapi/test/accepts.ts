import { registerSchema, unregisterSchema, validate } from '@hyperjump/json-schema/draft-2020-12'
import type { OpenAPI } from '@plumbline/openapi'

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'
let count = 0

/** Returns whether a schema of a document accepts a value, according to an independent validator. */
export async function accepts(
  document: OpenAPI.Document,
  schema: unknown,
  value: unknown,
): Promise<boolean> {
  // Without a document, references lead to the definitions of the schema.
  const text = JSON.stringify({ allOf: [schema], $defs: document.components?.schemas ?? {} })
  const whole = JSON.parse(text.replaceAll('"#/components/schemas/', '"#/$defs/'))
  count += 1
  const uri = `https://example.com/schemas/${count}`
  registerSchema({ ...whole, $schema: DIALECT }, uri)
  try {
    const { valid } = await validate(uri, JSON.parse(JSON.stringify(value)))
    return valid
  } finally {
    unregisterSchema(uri)
  }
}
