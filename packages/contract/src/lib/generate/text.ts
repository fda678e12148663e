import { accepts, type Components, NUMBER } from '@plumbline/base'
import type { ParameterPlan } from './plan.ts'

/** Whether a value has a form as text: a scalar or a list of them. A form also has files, and objects as JSON. */
export function isWritable(location: ParameterPlan['location'] | 'form', value: unknown): boolean {
  if (Array.isArray(value)) {
    const mayBeList = location !== 'params' && location !== 'cookies'
    return (
      mayBeList &&
      value.length > 0 &&
      value.every((one) => !Array.isArray(one) && isWritable(location, one))
    )
  }
  return typeof value !== 'object' || (location === 'form' && value !== null)
}

/** Whether a schema rejects a value sent as text, in each interpretation. */
export function rejectsText(schema: unknown, value: unknown, components: Components): boolean {
  if (value instanceof Blob) return !accepts(schema, value, components)
  const texts = (Array.isArray(value) ? value : [value]).map(textOf)
  const [text = ''] = texts
  const single = texts.length === 1 ? [text, read(text), value] : []
  const interpretations = [...single, texts, texts.map(read)]
  return interpretations.every((one) => !accepts(schema, one, components))
}

/** Writes a value as text. A form has an object as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Reads text as a JSON number or boolean if it looks like one. */
function read(text: string): unknown {
  return NUMBER.test(text) || text === 'true' || text === 'false' ? JSON.parse(text) : text
}
