import { accepts, type Components } from '../json-schema/accepts.ts'
import { NUMBER } from '../schema/shape/text-test.ts'
import type { ParameterPlan } from './plan.ts'

/** Whether a value can be sent as a parameter and arrives as the intended text. */
export function isSendable(location: ParameterPlan['location'] | 'form', value: unknown): boolean {
  if (Array.isArray(value)) {
    const mayBeList = location !== 'params' && location !== 'cookies'
    const isElement = (one: unknown) =>
      isSendable(location, one) && !(location === 'headers' && /[,"]/.test(String(one)))
    return (
      mayBeList && value.length > 0 && value.every((one) => !Array.isArray(one) && isElement(one))
    )
  }
  // A form has files, and objects as JSON.
  if (typeof value === 'object') return location === 'form' && value !== null
  const text = String(value)
  if (LONE_SURROGATE.test(text)) return false
  if (location === 'headers') return FIELD_VALUE.test(text)
  // A URL parser removes such a segment.
  return location !== 'params' || text.split('/').every((segment) => !DOTS.test(segment))
}

/** Whether a schema rejects a value sent as text: each of its interpretations. */
export function rejectsText(schema: unknown, value: unknown, components: Components): boolean {
  const texts = (Array.isArray(value) ? value : [value]).map(String)
  const [text = ''] = texts
  const single = texts.length === 1 ? [text, read(text)] : []
  const interpretations = [...single, texts, texts.map(read)]
  return interpretations.every((one) => !accepts(schema, one, components))
}

/** Reads text as a JSON number or boolean if it looks like one. */
function read(text: string): unknown {
  return NUMBER.test(text) || text === 'true' || text === 'false' ? JSON.parse(text) : text
}

/** RFC 9110 §5.5: the visible characters, with spaces between them. */
const FIELD_VALUE = /^[!-~](?:[ -~]*[!-~])?$/
const DOTS = /^\.{0,2}$/
const LONE_SURROGATE = /\p{Cs}/u
