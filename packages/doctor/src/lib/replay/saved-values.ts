import { isJsonObject } from '../json.ts'

/** Replaces names such as `{{user}}` with the saved values. Returns the missing name, as text, if one was not saved. */
export function substitute<Value>(
  value: Value,
  saved: ReadonlyMap<string, string>,
): { readonly value: Value } | string {
  let missing: string | null = null
  const text = JSON.stringify(value).replaceAll(/\{\{(\w+)\}\}/g, (_, key: string) => {
    const known = saved.get(key)
    if (known === undefined) missing ??= key
    return JSON.stringify(known ?? '').slice(1, -1)
  })
  return missing ?? { value: JSON.parse(text) }
}

/** The value at a JSON pointer (RFC 6901); undefined if it does not exist. */
export function valueAt(value: unknown, pointer: string): unknown {
  const keys = pointer.slice(1).split('/')
  return keys
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((part, key) => {
      if (Array.isArray(part)) return /^\d+$/.test(key) ? part[Number(key)] : undefined
      return isJsonObject(part) && Object.hasOwn(part, key) ? part[key] : undefined
    }, value)
}
