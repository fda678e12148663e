import { deepStrictEqual } from 'node:assert'

/** Fails unless the value of an example's line is the one that the example states. */
export function state(place: string, actual: unknown, stated: unknown): void {
  try {
    deepStrictEqual(plain(actual), plain(stated))
  } catch (error) {
    throw new Error(`${place}: the value is not the one stated\n${(error as Error).message}`)
  }
}

/** Runs each example in turn, and fails with all that fail. */
export async function runAll(names: readonly string[]): Promise<void> {
  const failed: string[] = []
  for (const name of names) {
    try {
      await import(`../.examples/${name}`)
    } catch (error) {
      failed.push(`${name}\n${error instanceof Error ? (error.stack ?? error.message) : error}`)
    }
  }
  for (const failure of failed) console.log(failure)
  process.exit(failed.length === 0 ? 0 : 1)
}

/** Prototypes do not matter to a reader: a null-prototype object states like a literal. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (value === null || typeof value !== 'object') return value
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== null && prototype !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plain(part)]))
}
