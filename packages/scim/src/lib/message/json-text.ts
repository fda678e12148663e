/** Adds a member to the JSON text of an object, in front of its end; `value` is JSON text, too. */
export function withMember(object: string, name: string, value: string): string {
  const comma = object === '{}' ? '' : ','
  return `${object.slice(0, -1)}${comma}${JSON.stringify(name)}:${value}}`
}
