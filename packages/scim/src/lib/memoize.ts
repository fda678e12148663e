/** Returns the function that calls `build` once for each key and then returns the same value. */
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
