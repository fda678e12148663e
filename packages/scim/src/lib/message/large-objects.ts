/**
 * Whether an object in a JSON text has more than `most` members. Reads the text once, before it is parsed: building an
 * object of many members takes far longer than a resource of the same size, which has few in each object.
 */
export function hasLargeObject(text: string, most: number): boolean {
  // A member has four characters at least, such as `"":0`.
  if (text.length < 4 * most) return false
  /** The members so far of each object that is open, and of each list, which stay 0. */
  const open: number[] = []
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') {
      at = endOfString(text, at)
    } else if (character === '{' || character === '[') {
      open.push(0)
    } else if (character === '}' || character === ']') {
      open.pop()
    } else if (character === ':') {
      const members = (open.pop() ?? 0) + 1
      if (members > most) return true
      open.push(members)
    }
  }
  return false
}

/** The position of the quote that ends a string; that of the last character if none does. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at
  }
  return text.length
}
