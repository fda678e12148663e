/** What every row says of its resource. */
interface Described {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly created_at: number
  readonly last_modified: number
}

/** What the server says of a resource (RFC 7643 §3.1). */
export type Meta = Readonly<
  Record<'resourceType' | 'created' | 'lastModified' | 'location' | 'version', string>
>

/** The `meta` of a resource below `base`, in the version that its entity tag names (RFC 7643 §3.1). */
export function metaOf(
  resourceType: 'User' | 'Group',
  { id, created_at, last_modified }: Described,
  { base, version }: { readonly base: string; readonly version: string },
): Meta {
  const created = new Date(created_at).toISOString()
  const isUnchanged = last_modified === created_at
  return {
    resourceType,
    created,
    lastModified: isUnchanged ? created : new Date(last_modified).toISOString(),
    location: `${base}/${resourceType}s/${id}`,
    version,
  }
}
