import { accepts, copyPlain, defined, isJsonObject, mediaTypeOf } from '@plumbline/base'
import { pointerOf } from '@plumbline/problem/core'
import type * as OpenAPI from '../openapi.ts'
import { runSchema } from '../schema/run-schema.ts'
import type { Schema } from '../schema/standard-schema.ts'
import type { ExampleSpec, Examples } from '../spec/operation-spec.ts'
import type { Components } from './components/state.ts'
import type { FaultPlace, Report } from './faults.ts'

/** Describes the examples for a body, header or parameter, and reports those the schema rejects. */
export function describeExamples(
  examples: Examples | undefined,
  schema: Schema,
  place: FaultPlace,
  report: Report,
  /** The parameter's name, whose schema is a property in `schema`; null for a body or header. */
  parameter: string | null = null,
): Record<string, OpenAPI.Example> | undefined {
  if (examples === undefined) return undefined
  const described = Object.entries(examples).map(([name, example]) => {
    const reason = findReason(schema, example, parameter)
    const pointer = `${place.pointer}${pointerOf(['examples', name])}`
    if (reason !== null) report({ ...place, pointer }, { code: 'invalid-example', name, reason })
    const { summary, description, value } = example
    return [name, defined({ summary, description, value: copyPlain(value) })] as const
  })
  return described.length > 0 ? Object.fromEntries(described) : undefined
}

/** The examples for one of a body's media types: those naming it and, for the first one, those without a media type. */
export function examplesOf(
  examples: Examples | undefined,
  type: string,
  isFirst: boolean,
): Examples | undefined {
  if (examples === undefined) return undefined
  const isOfType = ({ mediaType }: ExampleSpec) =>
    mediaType === undefined ? isFirst : mediaTypeOf(mediaType) === mediaTypeOf(type)
  return Object.fromEntries(Object.entries(examples).filter(([, example]) => isOfType(example)))
}

/** Says why a schema rejects an example; null if it does not, or if it validates asynchronously. */
function findReason(
  schema: Schema,
  { value }: ExampleSpec,
  parameter: string | null,
): string | null {
  const result = runSchema(schema, parameter === null ? value : { [parameter]: value })
  if (result instanceof Promise || !result.issues) return null
  const [issue] = result.issues.filter(
    ({ path = [] }) => parameter === null || keyOf(path[0]) === parameter,
  )
  if (issue === undefined) return null
  const path = (issue.path ?? []).map(keyOf).slice(parameter === null ? 0 : 1)
  return path.length === 0 ? issue.message : `${issue.message}, at ${pointerOf(path)}`
}

function keyOf(segment: PropertyKey | { readonly key: PropertyKey } | undefined): string | number {
  const key = typeof segment === 'object' ? segment.key : segment
  return typeof key === 'number' ? key : String(key)
}

/** Reports examples within schemas if their own schema rejects them. */
export function checkSchemaExamples(
  { examples, report }: Components,
  schemas: Readonly<Record<string, unknown>>,
  document: unknown,
): void {
  for (const { schema, place } of examples) {
    const listed = Array.isArray(schema.examples) ? schema.examples : []
    for (const [at, value] of listed.entries()) {
      if (accepts(schema, value, schemas)) continue
      const found = findPointer(document, schema) ?? place.pointer
      const pointer = `${found}/examples/${at}`
      const reason = 'the schema that has the example rejects it'
      report({ ...place, pointer }, { code: 'invalid-example', name: String(at), reason })
    }
  }
}

/** The pointer to a document's part; null if the document does not contain it. Only used for a fault. */
function findPointer(document: unknown, part: object): string | null {
  const waiting: [unknown, string][] = [[document, '']]
  // The list grows while it is read.
  for (const [value, pointer] of waiting) {
    if (value === part) return pointer
    if (Array.isArray(value)) {
      for (const [at, element] of value.entries()) waiting.push([element, `${pointer}/${at}`])
    } else if (isJsonObject(value)) {
      for (const [name, member] of Object.entries(value)) {
        waiting.push([member, `${pointer}${pointerOf([name])}`])
      }
    }
  }
  return null
}
