/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a value is a JSON object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns an own member's value, or undefined: a name from a client never reaches a prototype. */
export function own(value: unknown, name: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** Whether a value is a list or a plain object, from any realm. */
export function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  // A plain object's prototype is the root of a prototype chain.
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Copies lists and plain objects at any depth. Every other value is kept as it is. */
export function copyPlain<Value>(value: Value): Value {
  // Most values are strings and numbers.
  return typeof value === 'object' ? (copyWithin(value, new Map()) as Value) : value
}

function copyWithin(value: unknown, copies: Map<object, unknown>): unknown {
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value
  // A value containing itself is reported when the document is written.
  const known = copies.get(value)
  if (known !== undefined) return known
  const copy = Array.isArray(value) ? [] : {}
  copies.set(value, copy)
  for (const [name, member] of Object.entries(value)) {
    setOwn(copy as Record<string, unknown>, name, copyWithin(member, copies))
  }
  return copy
}

/** Removes each object's prototype in a JSON value, at any depth. */
export function removePrototypes(json: unknown): unknown {
  const found = [json]
  // The list grows while it is read; recursion could exceed the stack.
  for (const value of found) {
    if (typeof value !== 'object' || value === null) continue
    if (!Array.isArray(value)) Object.setPrototypeOf(value, null)
    for (const member of Object.values(value)) found.push(member)
  }
  return json
}

/** Sets an own member by any name. An assignment to `__proto__` would set the prototype. */
export function setOwn(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value
  else {
    const own = { value, enumerable: true, configurable: true, writable: true }
    Object.defineProperty(object, name, own)
  }
}
