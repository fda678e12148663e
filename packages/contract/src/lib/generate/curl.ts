/** Writes a request as a `curl` command for a POSIX shell with `$'…'`. */
export async function curlOf(request: Request): Promise<string> {
  const bytes = new Uint8Array(await request.clone().arrayBuffer())
  const options = [
    request.method === 'GET' ? '' : `-X ${request.method}`,
    ...[...request.headers].map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    bytes.length === 0 ? '' : `--data-binary ${quoteBytes(bytes)}`,
  ]
  return ['curl', ...options.filter((one) => one !== ''), quote(request.url)].join(' ')
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function quoteBytes(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes)
  const isText = new TextEncoder().encode(text).every((byte, at) => byte === bytes[at])
  if (isText && !CONTROL.test(text)) return quote(text)
  const escaped = [...bytes].map((byte) =>
    byte > 0x1f && byte < 0x7f && byte !== 0x27 && byte !== 0x5c
      ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).padStart(2, '0')}`,
  )
  return `$'${escaped.join('')}'`
}

const CONTROL = /[\p{Cc}\p{Cf}]/u
