/** The columns from which `meta` is built. */
interface Described {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly created_at: number
  readonly last_modified: number
}

/** A resource's metadata (RFC 7643 §3.1). */
export type Meta = Readonly<
  Record<'resourceType' | 'created' | 'lastModified' | 'location' | 'version', string>
>

/** Builds a resource's `meta` below `base`, with its entity tag as version (RFC 7643 §3.1). */
export function metaOf(
  type: { readonly name: string; readonly endpoint: string },
  { id, created_at, last_modified }: Described,
  { base, version }: { readonly base: string; readonly version: string },
): Meta {
  const created = new Date(created_at).toISOString()
  return {
    resourceType: type.name,
    created,
    // Many resources never change.
    lastModified: last_modified === created_at ? created : new Date(last_modified).toISOString(),
    location: `${base}${type.endpoint}/${id}`,
    version,
  }
}
