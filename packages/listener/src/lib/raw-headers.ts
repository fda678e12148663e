/**
 * A request's headers, read from the list Node received. `IncomingMessage.headers` drops repeated fields such as
 * `Authorization`, which `Headers` joins.
 */
export class RawHeaders implements Pick<Headers, 'get' | 'has'> {
  readonly #raw: readonly string[]

  constructor(raw: readonly string[]) {
    this.#raw = raw
  }

  get(name: string): string | null {
    let found: string | null = null
    for (let at = 0; at < this.#raw.length; at += 2) {
      const one = this.#raw[at] ?? ''
      if (one.length !== name.length) continue
      if (one !== name && one.toLowerCase() !== name.toLowerCase()) continue
      const value = this.#raw[at + 1] ?? ''
      // RFC 9110 §5.3: repeated fields are one list.
      found = found === null ? value : found + separatorOf(name) + value
    }
    return found
  }

  has(name: string): boolean {
    return this.get(name) !== null
  }

  /** Throws a TypeError for a value `Headers` does not permit. */
  toHeaders(): Headers {
    const headers = new Headers()
    for (let at = 0; at < this.#raw.length; at += 2) {
      headers.append(this.#raw[at] ?? '', this.#raw[at + 1] ?? '')
    }
    return headers
  }
}

function separatorOf(name: string): string {
  // RFC 6265 §5.4
  return name.toLowerCase() === 'cookie' ? '; ' : ', '
}
