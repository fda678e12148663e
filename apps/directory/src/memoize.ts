/** Values that are made once for each key. A key that is garbage collected loses its value. */
export interface Memo<Key extends WeakKey, Value> {
  get(key: Key): Value
  forget(key: Key): void
}

/** Makes the value of each key when it is first requested. */
export function memoize<Key extends WeakKey, Value extends object>(
  make: (key: Key) => Value,
): Memo<Key, Value> {
  const values = new WeakMap<Key, Value>()
  // Most calls are for the same key as the one before, and a look-up in a WeakMap takes half a microsecond.
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
