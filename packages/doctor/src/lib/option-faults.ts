import { isJsonObject } from './json.ts'

/** An option's type. A list has strings, and a number may be infinite. */
export type OptionType = 'string' | 'boolean' | 'function' | 'object' | 'list' | 'number' | 'any'

/**
 * Describes the first unknown option or the first with another type; null if all are right. A JavaScript program, and
 * an object spread in TypeScript, may set any name to any value, which would be ignored.
 *
 * @param place the text before the option name, such as `examine: `
 */
export function findOptionFault<Options>(
  place: string,
  options: unknown,
  types: Readonly<Record<keyof Options, OptionType>>,
): string | null {
  if (!isJsonObject(options)) return `${place}the options must be an object`
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue
    if (!Object.hasOwn(types, name)) return `${place}${name} is unknown${hintFor(name, types)}`
    const type = types[name as keyof Options]
    if (!isOf(type, value)) return `${place}${name} must be ${NOUNS[type]}`
  }
  return null
}

/** Suggests a name with the same start. */
function hintFor(name: string, types: object): string {
  const known = Object.keys(types)
  const start = name.slice(0, 4).toLowerCase()
  const near = known.find((one) => one.toLowerCase().startsWith(start))
  return near === undefined ? `: expected one of ${known.join(', ')}` : `: did you mean ${near}?`
}

function isOf(type: OptionType, value: unknown): boolean {
  switch (type) {
    case 'any':
      return true
    case 'list':
      return Array.isArray(value) && value.every((one) => typeof one === 'string')
    case 'object':
      return isJsonObject(value)
    case 'number':
      return typeof value === 'number' && value >= 0
    default:
      return typeof value === type
  }
}

const NOUNS: Readonly<Record<OptionType, string>> = {
  string: 'a string',
  boolean: 'true or false',
  function: 'a function',
  object: 'an object',
  list: 'a list of strings',
  number: 'a number of at least 0',
  any: 'another value',
}
