import { type JsonObject, own } from '../json.ts'
import { type ExaminedType, findAttribute } from '../model/types.ts'

/**
 * Copies a sample with the operator's values, by path, such as `userName` or `emails.value`. An ellipsis in a value is
 * the text before the at sign in the sample, which makes the value unique. Values for undeclared attributes are
 * ignored.
 */
export function withValues(
  sample: JsonObject,
  type: ExaminedType,
  values: Readonly<Record<string, string>>,
): JsonObject {
  const resource = { ...sample }
  for (const [path, value] of Object.entries(values)) {
    const urn = Object.keys(type.definitions).find((id) => path.startsWith(`${id}:`)) ?? type.schema
    if (path !== 'externalId' && findAttribute(type, path) === undefined) continue
    const name = path.startsWith(`${urn}:`) ? path.slice(urn.length + 1) : path
    const [attribute = '', part] = name.split('.')
    if (urn === type.schema) {
      resource[attribute] = filled(own(resource, attribute), part, value)
      continue
    }
    const extension = Object(own(resource, urn))
    resource.schemas = [...new Set([...[resource.schemas].flat(), urn])]
    resource[urn] = { ...extension, [attribute]: filled(own(extension, attribute), part, value) }
  }
  return resource
}

function filled(found: unknown, part: string | undefined, value: string): unknown {
  if (Array.isArray(found)) return found.map((one) => filled(one, part ?? 'value', value))
  if (part !== undefined) {
    const object: object = Object(found)
    return { ...object, [part]: filled(own(object, part), undefined, value) }
  }
  const unique = typeof found === 'string' ? (found.split('@')[0] ?? '') : ''
  if (value.includes('…')) return value.replaceAll('…', unique)
  if (value === 'true' || value === 'false') return value === 'true'
  return value
}
