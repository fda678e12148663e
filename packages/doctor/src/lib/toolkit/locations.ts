import type { Server } from './server.ts'

/**
 * Resolves a location or a `$ref`, which may be relative to the base URL (RFC 7643 §2.3.7). Null if it is not a
 * URI reference.
 */
export function resolveReference(
  { documents: { config } }: Pick<Server, 'documents'>,
  reference: unknown,
): string | null {
  const base = config.url.replace(/ServiceProviderConfig\/?$/, '')
  const isValid = typeof reference === 'string' && URL.canParse(reference, base)
  return isValid ? new URL(reference, base).href : null
}
