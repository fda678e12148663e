/**
 * Finds English that is hard to read in comments, messages and documents: the patterns of
 * `prose/patterns.ts`. Usage: `node scripts/check-prose.ts [folder]`.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EXCEPTIONS, PATTERNS } from './prose/patterns.ts'
import { root } from './run.ts'

interface Sentence {
  readonly line: number
  readonly text: string
}

/** How often a word may occur in 1,000 words. */
const MAX_RATES = [
  ['of', 30],
  ['that', 12],
] as const
const COMMENT = /^\s*(?:\/\*\*?|\*|\/\/)\s?(.*?)(?:\*\/)?$/

const [folder = '.'] = process.argv.slice(2)
const exclude = ['**/node_modules/**', '**/dist/**', '**/fixtures/**', '.*/**', 'scripts/prose/**']
const files = globSync(join(folder, '**/*.{ts,md}'), { cwd: root, exclude }).sort()
const findings = files.flatMap(findingsIn)

for (const finding of findings) console.log(finding)
process.exitCode = isDense() || findings.length > 0 ? 1 : 0

/**
 * Prints how often comments say "of" and "that", and returns whether one of them is above its limit: a sign of noun
 * phrases where a verb or a compound noun would do.
 */
function isDense(): boolean {
  const words = files
    .filter((file) => /\/src\/.*(?<!\.(test|cases|test-d))\.ts$/.test(file))
    .flatMap((file) => commentsOf(readFileSync(join(root, file), 'utf8')))
    .flatMap((text) => text.toLowerCase().match(/[a-z']+/g) ?? [])
  const shares = MAX_RATES.map(([word, most]) => {
    const count = words.filter((one) => one === word).length
    return { word, most, share: (1_000 * count) / words.length }
  })
  const texts = shares.map(
    ({ word, most, share }) => `${word} ${share.toFixed(1)} (at most ${most})`,
  )
  console.log(`per 1,000 words of ${words.length} in comments: ${texts.join(', ')}`)
  return shares.some(({ most, share }) => share > most)
}

function commentsOf(source: string): string[] {
  return source.split('\n').flatMap((line) => {
    const comment = COMMENT.exec(line)?.[1]
    return comment === undefined ? [] : [withoutCode(comment)]
  })
}

function findingsIn(file: string): string[] {
  const source = readFileSync(join(root, file), 'utf8')
  const sentences = file.endsWith('.md') ? proseOf(source) : commentsAndStringsOf(source)
  return sentences.flatMap(({ line, text }) =>
    PATTERNS.filter(({ pattern }) => pattern.test(text) && !isExcepted(file, text)).map(
      ({ pattern, instead }) =>
        `${file}:${line}: "${pattern.exec(text)?.[0]}" in "${text.trim()}": write ${instead}`,
    ),
  )
}

function isExcepted(file: string, text: string): boolean {
  return EXCEPTIONS.some((one) => one.file === file && text.includes(one.text))
}

/** The lines of a document outside of code. */
function proseOf(source: string): Sentence[] {
  let isCode = false
  return source.split('\n').flatMap((text, at) => {
    if (text.trimStart().startsWith('```')) isCode = !isCode
    return isCode ? [] : [{ line: at + 1, text: withoutCode(text) }]
  })
}

/** Comments, and strings of several words: each comment or string of a line is one sentence. */
function commentsAndStringsOf(source: string): Sentence[] {
  let isExample = false
  return source.split('\n').flatMap((line, at) => {
    const comment = COMMENT.exec(line)?.[1]
    if (comment === undefined) {
      isExample = false
      return stringsOf(line).map((text) => ({ line: at + 1, text }))
    }
    if (comment.startsWith('```')) isExample = !isExample
    return isExample ? [] : [{ line: at + 1, text: withoutCode(comment) }]
  })
}

function stringsOf(line: string): string[] {
  const strings = [...line.matchAll(/'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g)]
  const comment = / \/\/ (.*)$/.exec(line)?.[1]
  const texts = strings.map(([, single, template]) =>
    (single ?? template ?? '').replace(/\$\{[^}]*\}/g, '…'),
  )
  return [...texts, ...(comment === undefined ? [] : [withoutCode(comment)])].filter((text) =>
    /\S \S/.test(text),
  )
}

function withoutCode(text: string): string {
  return text.replace(/`[^`]*`/g, '…')
}
