/** An object's members. If one may be undefined, it is optional. */
export type Defined<Members> = {
  [Name in keyof Members as undefined extends Members[Name] ? never : Name]: Members[Name]
} & {
  [Name in keyof Members as undefined extends Members[Name] ? Name : never]?: Exclude<
    Members[Name],
    undefined
  >
}

/** Copies an object without the undefined members. */
export function defined<Members extends object>(members: Members): Defined<Members> {
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(members)) {
    const value: unknown = members[name as keyof Members]
    if (value !== undefined) copy[name] = value
  }
  // The omitted members are those the type makes optional.
  return copy as Defined<Members>
}
