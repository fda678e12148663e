import { badRequest } from './message/error.ts'
import type { AttributeNode } from './schema/attribute-index.ts'
import { fold } from './values/fold.ts'

/** How many values a multi-valued attribute may have if the caller sets no other limit. */
export const MAX_VALUES = 5_000

/** Throws `400 tooMany` if an attribute has more values than allowed. `members` is not limited. */
export function requireFewValues(
  count: number,
  node: AttributeNode,
  place: string,
  maxValues: number,
): void {
  if (count <= maxValues || isMembers(node)) return
  throw badRequest('tooMany', `${place} has more than ${maxValues} values`)
}

/** RFC 7643 §4.2: a group may have any number of members. */
function isMembers({ name, parent }: AttributeNode): boolean {
  return parent === null && fold(name) === 'members'
}
