import { isAssigned } from '../json.ts'

/**
 * Writes a wire value as canonical JSON, so equal values are written alike: members are sorted, and unassigned ones are
 * omitted (RFC 7643 §2.5).
 */
export function stringifyCanonical(value: unknown): string {
  return JSON.stringify(value, sortMembers)
}

function sortMembers(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const members = Object.entries(value).filter(([, member]) => isAssigned(member))
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)))
}
