/** A resource that a POST in the request created. */
export interface Created {
  readonly id: string
  readonly location: string
}

/** The created resources, keyed by bulkId. */
export type CreatedResources = ReadonlyMap<string, Created>

/** Whether a string references a resource the request creates (RFC 7644 §3.7.2). */
export function isBulkReference(text: string): boolean {
  return text.startsWith(PREFIX)
}

/** Whether a body may contain references. Most bodies do not, and looking for the text costs little. */
export function mentionsBulkId(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(PREFIX)
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(mentionsBulkId)
  return Object.entries(value).some(
    ([key, member]) => key.includes(PREFIX) || mentionsBulkId(member),
  )
}

/** Returns the bulkId in an id or URL: as a whole, or as the URL's last segment. Null without one. */
export function bulkIdIn(text: string, { isUrl }: { readonly isUrl: boolean }): string | null {
  if (isBulkReference(text)) return text.slice(PREFIX.length)
  const at = isUrl ? text.lastIndexOf(`/${PREFIX}`) : -1
  return at < 0 ? null : text.slice(at + 1 + PREFIX.length)
}

/** Replaces the bulkId with the created resource's id or URL. */
export function resolveBulkId(
  text: string,
  { isUrl }: { readonly isUrl: boolean },
  created: CreatedResources,
): string {
  const bulkId = bulkIdIn(text, { isUrl })
  const target = bulkId === null ? undefined : created.get(bulkId)
  if (bulkId === null || target === undefined) return text
  if (!isUrl) return target.id
  const before = text.slice(0, text.length - PREFIX.length - bulkId.length)
  return before === '' ? target.location : `${before}${encodeURIComponent(target.id)}`
}

/** The bulkIds in a path's segments, such as `/Users/bulkId:a`. */
export function bulkIdsInPath(path: string): string[] {
  return path
    .split('/')
    .filter(isBulkReference)
    .map((segment) => segment.slice(PREFIX.length))
}

/** Replaces the bulkIds in a path with the created resources' ids. */
export function resolvePath(path: string, created: CreatedResources): string {
  if (!path.includes(PREFIX)) return path
  const segments = path.split('/').map((segment) => {
    const target = isBulkReference(segment) ? created.get(segment.slice(PREFIX.length)) : undefined
    return target === undefined ? segment : encodeURIComponent(target.id)
  })
  return segments.join('/')
}

const PREFIX = 'bulkId:'
