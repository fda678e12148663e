/** A JSON object. */
export type Members = Readonly<Record<string, unknown>>

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value of an own member, or undefined: names from outside never reach a prototype. */
export function own(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** Sets an own member whatever its name is: assigned, `__proto__` would set the prototype. */
export function setOwn(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value
  else {
    const own = { value, enumerable: true, configurable: true, writable: true }
    Object.defineProperty(object, name, own)
  }
}
