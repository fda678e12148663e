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
  return {
    get: (key) => {
      const known = values.get(key)
      if (known !== undefined) return known
      const value = make(key)
      values.set(key, value)
      return value
    },
    forget: (key) => void values.delete(key),
  }
}
