import { fold } from '@plumbline/scim'
/** Replaces values of a recording: the same value by the same replacement, in any letter case. */
export interface Pseudonyms {
  /** The replacement of a string, of the same shape. A known id is replaced by its placeholder. */
  replace(text: string): string
  /** Remembers the id of a created resource, and returns its placeholder without the braces. */
  addId(id: string): string
  /** The placeholder of a known id, such as `{{id1}}`; null for any other string. */
  findId(text: string): string | null
}

/** Creates the replacements of one recording. */
export function createPseudonyms(): Pseudonyms {
  const known = new Map<string, string>()
  const ids = new Map<string, string>()
  const findId: Pseudonyms['findId'] = (text) => ids.get(text) ?? null
  return {
    findId,
    addId: (id) => {
      const name = `id${ids.size + 1}`
      ids.set(id, `{{${name}}}`)
      return name
    },
    replace: (text) => {
      if (text === '' || /^(?:true|false|\*{3})$/i.test(text)) return text
      const id = findId(text)
      if (id !== null) return id
      const key = fold(text)
      const found = known.get(key)
      if (found !== undefined) return found
      const pseudonym = shaped(text, known.size + 1)
      known.set(key, pseudonym)
      return pseudonym
    },
  }
}

/** A replacement with the shape of a string: the first shape that matches. */
function shaped(text: string, number: number): string {
  return SHAPES.find(([pattern]) => pattern.test(text))?.[1](number) ?? `value${number}`
}

const hex = (number: number): string => number.toString(16).padStart(12, '0')

const SHAPES: readonly (readonly [RegExp, (number: number) => string])[] = [
  [/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i, (n) => `00000000-0000-4000-8000-${hex(n)}`],
  [/^[^\s@]+@[^\s@]+$/, (n) => `user${n}@example.com`],
  [/^https?:/i, (n) => `https://example.com/${n}`],
  [/^\d{4}-\d\d-\d\dT/, (n) => new Date(DAY * n).toISOString()],
  [/^\+?[\d\s()./-]+$/, (n) => `${n}`],
  [/^(?:[a-z\d+/]{4}){4,}(?:[a-z\d+/]{2}==|[a-z\d+/]{3}=)?$/i, (n) => btoa(hex(n))],
]
const DAY = 24 * 60 * 60 * 1_000
