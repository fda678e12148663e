/** The texts a report must never contain, in each form a server could return. */
export function secretsOf(given: readonly (string | null | undefined)[]): readonly string[] {
  const texts = given.flatMap((one) =>
    one ? [one, one.split(' ').pop() ?? '', ...passwordOf(one)] : [],
  )
  const forms = texts.flatMap((one) => [
    one,
    encodeURIComponent(one),
    JSON.stringify(one).slice(1, -1),
    ...encodingsOf(one),
    // Some JSON writers escape the slash, and a finding quotes JSON as a JSON string.
    ...['\\/', '\\\\/'].map((slash) => one.replaceAll('/', slash)),
  ])
  // A shorter text occurs in ordinary words, and without it a report would be unreadable.
  return [...new Set(forms)].filter((one) => one.length >= 4).sort((a, b) => b.length - a.length)
}

/** The Basic authentication password (RFC 7617). */
function passwordOf(authorization: string): readonly string[] {
  const [, encoded] = /^Basic ([A-Za-z0-9+/]+={0,2})$/i.exec(authorization) ?? []
  if (encoded === undefined || encoded.length % 4 !== 0) return []
  const bytes = Uint8Array.from(atob(encoded), (one) => one.charCodeAt(0))
  return new TextDecoder().decode(bytes).split(':').slice(1)
}

/** Encodes a token as it may appear inside another text: base64 at three positions, base64url and hexadecimal. */
function encodingsOf(text: string): readonly string[] {
  const bytes = [...new TextEncoder().encode(text)]
  const encode = (list: readonly number[]): string => btoa(String.fromCharCode(...list))
  const inner = [0, 1, 2].map((shift) => {
    const encoded = encode([...Array.from({ length: shift }, () => 0), ...bytes])
    const start = [0, 2, 3][shift] ?? 0
    // The last characters depend on what follows.
    return encoded.replace(/=+$/, '').slice(start, -2)
  })
  const url = inner.map((one) => one.replaceAll('+', '-').replaceAll('/', '_'))
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return [...inner, ...url, hex].filter((one) => one.length >= 8)
}
