/**
 * Finds English that is hard to read in comments, messages and documents: the patterns of
 * `prose/patterns.ts`, and titles of tests that are only a placeholder. Usage: `node scripts/check-prose.ts [folder]`.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EXCEPTIONS, PATTERNS } from './prose/patterns.ts'
import { measure } from './prose/rates.ts'
import { bareTitlesOf, commentsAndStringsOf, proseOf } from './prose/texts.ts'
import { root } from './run.ts'

const [folder = '.'] = process.argv.slice(2)
const exclude = ['**/node_modules/**', '**/dist/**', '**/fixtures/**', '.*/**', 'scripts/prose/**']
const files = globSync(join(folder, '**/*.{ts,md}'), { cwd: root, exclude }).sort()
const findings = files.flatMap(findingsIn)

for (const finding of findings) console.log(finding)
// A single folder has too few words.
const isWhole = folder === '.'
process.exitCode = (isWhole && isDense()) || findings.length > 0 ? 1 : 0

/** Prints the rooms whose texts say "of", "its", "by" or "that" more often than they may. */
function isDense(): boolean {
  const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
  const dense = measure(sources).flatMap(({ name, rates }) =>
    rates
      .filter(({ rate, most }) => rate > most)
      .map(
        ({ word, rate, most }) => `${name}: "${word}" ${rate.toFixed(1)} times, at most ${most}`,
      ),
  )
  if (dense.length > 0) console.log('in 1,000 words:')
  for (const one of dense) console.log(one)
  return dense.length > 0
}

function findingsIn(file: string): string[] {
  const source = readFileSync(join(root, file), 'utf8')
  const sentences = file.endsWith('.md') ? proseOf(source) : commentsAndStringsOf(source)
  const bare = /\.(?:each|for)\b/.test(source) && file.endsWith('.ts') ? bareTitlesOf(source) : []
  const titles = bare.map(
    ({ line, text }) => `${file}:${line}: ${text} is a title: write a sentence`,
  )
  const patterns = sentences.flatMap(({ line, text }) =>
    PATTERNS.filter(({ pattern }) => pattern.test(text) && !isExcepted(file, text)).map(
      ({ pattern, instead }) =>
        `${file}:${line}: "${pattern.exec(text)?.[0]}" in "${text.trim()}": write ${instead}`,
    ),
  )
  return [...titles, ...patterns]
}

function isExcepted(file: string, text: string): boolean {
  return EXCEPTIONS.some((one) => one.file === file && text.includes(one.text))
}
