/** Wraps `build` to call it once per key and return the same value afterwards. */
export function memoize<Key extends object, Value extends object>(
  build: (key: Key) => Value,
): (key: Key) => Value {
  const values = new WeakMap<Key, Value>()
  return (key) => {
    const known = values.get(key)
    if (known !== undefined) return known
    const value = build(key)
    values.set(key, value)
    return value
  }
}
