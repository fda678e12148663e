/** Values that are made once for each key. A key that is garbage collected loses its value. */
export interface Memo<Key extends WeakKey, Value> {
  get(key: Key): Value
  forget(key: Key): void
}

/** Makes each key's value when it is first requested. */
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

/**
 * Makes each key's value when it is first requested, and keeps it in a property of the key, such as of a request.
 * Many short-lived keys in a WeakMap would cost a tenth of the processor time of the server. A copy of a key shares
 * its value.
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
