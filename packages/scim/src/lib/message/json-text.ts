// Surgery on JSON strings, each written by `JSON.stringify`: no spaces precede or follow the brackets.

/** The JSON of an object with the members of two objects. They must not have a member in common. */
export function joinObjects(first: string, second: string): string {
  if (first === '{}') return second
  if (second === '{}') return first
  return `${first.slice(0, -1)},${second.slice(1)}`
}

/** A JSON list's elements, without its brackets. Empty for an empty list. */
export function elementsOf(list: string): string {
  return list.slice(1, -1)
}

/**
 * The JSON of an object with one more member at its end, a list, in pieces: the start, each of the `elements`
 * after the first with a comma, and the end.
 */
export function appendList(object: string, name: string, elements: readonly string[]): string[] {
  const comma = object === '{}' ? '' : ','
  const start = `${object.slice(0, -1)}${comma}${JSON.stringify(name)}:[`
  return [start, ...elements.map((element, at) => (at === 0 ? element : `,${element}`)), ']}']
}
