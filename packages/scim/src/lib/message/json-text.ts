// Surgery on JSON strings, each as `JSON.stringify` writes it: no spaces precede or follow the brackets.

/** Joins two JSON objects into one with the members of both. They must not have a common member. */
export function joinObjects(first: string, second: string): string {
  if (first === '{}') return second
  if (second === '{}') return first
  return `${first.slice(0, -1)},${second.slice(1)}`
}

/** Returns a JSON list's elements, without the brackets. Empty for an empty list. */
export function elementsOf(list: string): string {
  return list.slice(1, -1)
}

/**
 * Adds a list as the last member of a JSON object. Returns the JSON in pieces: the start, each of the `elements`, after
 * the first with a comma, and the end.
 */
export function appendList(object: string, name: string, elements: readonly string[]): string[] {
  const comma = object === '{}' ? '' : ','
  const start = `${object.slice(0, -1)}${comma}${JSON.stringify(name)}:[`
  return [start, ...elements.map((element, at) => (at === 0 ? element : `,${element}`)), ']}']
}
