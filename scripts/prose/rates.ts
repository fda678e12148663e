import { commentsOf, messagesOf, proseOf, titlesOf } from './texts.ts'

/** The words that show noun phrases where a verb or a compound noun would do. */
export const WORDS = ['of', 'its', 'by', 'that'] as const

/** How often each word may occur in 1,000 words, where nothing else is listed. */
const TARGETS: Rates = [20, 6, 7, 10]

/**
 * Texts that are still above the targets, with what they may have. A number in this table only becomes smaller, and a row
 * goes when its room has reached the targets.
 */
const ALLOWED: Readonly<Record<string, Rates>> = {
  'apps/directory: messages': [27, 7, 7, 10],
  'bench: messages': [43, 6, 11, 10],
  'bench: pages': [32, 6, 10, 10],
  'packages/doctor: messages': [40, 6, 7, 15],
  'packages/openapi: messages': [38, 6, 7, 10],
  'packages/scim: messages': [43, 6, 7, 10],
}

type Rates = readonly [of: number, its: number, by: number, that: number]

/** The texts of one room and one kind, such as the comments of `packages/scim`. */
export interface Density {
  readonly name: string
  readonly words: number
  /** How often each of `WORDS` occurs in 1,000 words, and how often it may. */
  readonly rates: readonly { readonly word: string; readonly rate: number; readonly most: number }[]
}

/** Measures how dense the texts of each room and kind are. */
export function measure(files: ReadonlyMap<string, string>): readonly Density[] {
  const words = new Map<string, string[]>()
  for (const [file, source] of files) {
    for (const [kind, texts] of textsOf(file, source)) {
      const name = `${roomOf(file)}: ${kind}`
      const found = words.get(name) ?? []
      words.set(name, found)
      for (const text of texts) found.push(...(text.toLowerCase().match(/[a-z']+/g) ?? []))
    }
  }
  return [...words]
    .filter(([, all]) => all.length >= MIN_WORDS)
    .map(([name, all]) => ({ name, words: all.length, rates: ratesOf(name, all) }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

function ratesOf(name: string, words: readonly string[]): Density['rates'] {
  return WORDS.map((word, at) => ({
    word,
    rate: (1_000 * words.filter((one) => one === word).length) / words.length,
    most: Math.max(TARGETS[at] ?? 0, ALLOWED[name]?.[at] ?? 0),
  }))
}

/** A change log is not written again. */
function textsOf(file: string, source: string): readonly (readonly [string, readonly string[]])[] {
  if (/(?:CHANGELOG|UPGRADING)\.md$/.test(file)) return []
  if (file.endsWith('.md')) return [['pages', proseOf(source).map(({ text }) => text)]]
  if (/\.(?:test|property\.test|cases)\.ts$|\/test\//.test(file))
    return [['titles', titlesOf(source)]]
  if (!file.includes('/src/')) return []
  return [
    ['comments', commentsOf(source)],
    ['messages', messagesOf(source)],
  ]
}

function roomOf(file: string): string {
  const [first = '', second] = file.split('/')
  if (second === undefined) return 'repository'
  return first === 'packages' || first === 'apps' ? `${first}/${second}` : first
}

/** Fewer words do not say anything. */
const MIN_WORDS = 1_000
