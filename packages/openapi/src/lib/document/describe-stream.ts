import { pointerOf } from '@plumbline/problem/core'
import type * as OpenAPI from '../openapi.ts'
import type { StreamSpec } from '../spec/stream-spec.ts'
import { referenceTo, toTitle } from './component-name.ts'
import { useSchema } from './components/schemas.ts'
import type { Components } from './components/state.ts'
import type { SchemaPlace } from './components/write.ts'

/** The media type's member for stream parts, which OpenAPI 3.1 does not define (OpenAPI 3.2.0 §4.14.1). */
export type ItemKeyword = 'itemSchema' | 'x-item-schema'

/** Describes a stream: all parts as text, and each part's schema. Events are named in the components. */
export function describeStream(
  stream: StreamSpec,
  place: SchemaPlace,
  components: Components,
  keyword: ItemKeyword,
): Record<string, OpenAPI.MediaType> {
  const [type] = stream.mediaTypes
  const pointer = `${place.pointer}${pointerOf(['content', type, keyword])}`
  const item = describeItem(stream, { ...place, pointer }, components)
  const schema = { type: 'string' } as const
  return { [type]: keyword === 'itemSchema' ? { itemSchema: item } : { schema, [keyword]: item } }
}

function describeItem(
  stream: StreamSpec,
  place: SchemaPlace,
  components: Components,
): OpenAPI.Schema {
  const known = components.streams.get(stream)
  if (known !== undefined) return { $ref: referenceTo(known.name) }
  const schema = stream.format.describe((part, name) =>
    useSchema(components, part, { ...place, steps: [...place.steps, name] }),
  )
  // A line is the schema's value.
  if (stream.kind === 'lines') return schema
  const name = freeName(components, `${place.steps.slice(0, 1).map(toTitle).join('')}Event`)
  components.reserved.set(name, `the events of ${place.operationId}`)
  components.streams.set(stream, { name, schema })
  return { $ref: referenceTo(name) }
}

function freeName({ defined, reserved }: Components, wanted: string): string {
  let free = wanted
  for (let count = 2; defined.has(free) || reserved.has(free); count += 1)
    free = `${wanted}${count}`
  return free
}
