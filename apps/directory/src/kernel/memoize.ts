/** Values created once per key. A garbage-collected key loses its value. */
export interface Memo<Key extends WeakKey, Value> {
  get(key: Key): Value
  forget(key: Key): void
}

/** Creates each key's value on the first request. */
export function memoize<Key extends WeakKey, Value extends object>(
  make: (key: Key) => Value,
): Memo<Key, Value> {
  const values = new WeakMap<Key, Value>()
  // Most calls repeat the preceding key, and a look-up in a WeakMap takes half a microsecond.
  let last: { readonly key: Key; readonly value: Value } | null = null
  return {
    get: (key) => {
      if (last?.key === key) return last.value
      let value = values.get(key)
      if (value === undefined) {
        value = make(key)
        values.set(key, value)
      }
      last = { key, value }
      return value
    },
    forget: (key) => {
      values.delete(key)
      if (last?.key === key) last = null
    },
  }
}

/**
 * Creates each key's value on the first request, and keeps it in a property on the key, such as a request. Many
 * short-lived keys in a WeakMap would cost a tenth of the server's processor time. A copy of a key shares its value.
 */
export function attach<Key extends object, Value extends object>(
  make: (key: Key) => Value,
): Memo<Key, Value> {
  const name = Symbol('attached')
  const holderOf = (key: Key) => key as { [name]?: Value | undefined }
  return {
    get: (key) => {
      const holder = holderOf(key)
      holder[name] ??= make(key)
      return holder[name]
    },
    forget: (key) => {
      holderOf(key)[name] = undefined
    },
  }
}
