/** A media type within a range; another type is returned as it is. */
export function typeWithin(range: string): string {
  if (range === '*/*') return 'application/octet-stream'
  return range.endsWith('/*') ? `${range.slice(0, -1)}${SUBTYPES[range] ?? 'plain'}` : range
}

const SUBTYPES: Readonly<Record<string, string>> = {
  'image/*': 'png',
  'audio/*': 'mpeg',
  'video/*': 'mp4',
  'application/*': 'octet-stream',
}
