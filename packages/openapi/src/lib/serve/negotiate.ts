import { matchesRange, parseMediaRange } from '@plumbline/base'
import { MEDIA_TYPE_JSON, MEDIA_TYPE_YAML } from '../constants.ts'

/** A document's formats. */
export type Format = 'json' | 'yaml'

/** Chooses the format: `?format=yaml` first, then the type Accept prefers, else JSON. */
export function negotiate(request: Request): Format {
  const format = new URL(request.url).searchParams.get('format')
  if (format === 'yaml' || format === 'json') return format
  const accept = request.headers.get('Accept')
  if (accept === null) return 'json'
  return weigh(accept, MEDIA_TYPE_YAML) > weigh(accept, MEDIA_TYPE_JSON) ? 'yaml' : 'json'
}

/** Returns a type's weight in an Accept header, from the most specific range (RFC 9110 §12.5.1). */
export function weigh(accept: string, type: string): number {
  let best = { weight: 0, specificity: -1 }
  // A quoted string is a parameter value, even if it contains a comma or a weight.
  for (const part of accept.replace(QUOTED, '').split(',')) {
    const { range, weight } = parseMediaRange(part)
    if (!matchesRange(range, type)) continue
    const specificity = range === type ? 2 : range === '*/*' ? 0 : 1
    if (specificity > best.specificity) best = { weight, specificity }
  }
  return best.weight
}

// RFC 9110 §5.6.4. Also matches an unclosed quote, so the text is scanned once.
const QUOTED = /"(?:[^"\\]|\\.)*"?/g
