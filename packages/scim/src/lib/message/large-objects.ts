/**
 * Whether an object in a JSON text has more than `most` members. Reads the text once, before it is parsed: building an
 * object with many members takes far longer than an equally large resource, which has few members in each object.
 */
export function hasLargeObject(text: string, most: number): boolean {
  // A member has at least four characters, such as `"":0`.
  if (text.length < 4 * most) return false
  /** The members counted so far for each open object, and for each open list, whose count stays 0. */
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

/** Returns the position of a string's closing quote; the text's length without one. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at
  }
  return text.length
}
