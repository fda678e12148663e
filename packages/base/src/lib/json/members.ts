/** Throws a TypeError for text, and for `Headers`, a `Map` or `URLSearchParams`, whose entries are not members. */
export function checkMembers(values: unknown): void {
  const found: unknown = Object(values)
  if (typeof found === 'object' && found !== null && Symbol.iterator in found) {
    throw new TypeError(`an object with a member for each value is needed, not ${nameOf(found)}`)
  }
}

function nameOf(value: object): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1)
}
