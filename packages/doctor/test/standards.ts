import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The text of an RFC by its number, such as `7644`; null if it was not found. */
export function readStandard(number: string): string | null {
  const file = FOLDERS.map((folder) => join(folder, `rfc${number}.txt`)).find(existsSync)
  return file === undefined ? null : readFileSync(file, 'utf8')
}

/**
 * The words of a section without its subsections, in lines as they are read: each column of a table is a paragraph of
 * its own. Null if the text does not have the section.
 */
export function sectionText(standard: string, section: string): string | null {
  const lines = standard.split('\n').filter((line) => !PAGE.test(line))
  const start = lines.findIndex((line) => line.startsWith(`${section}. `))
  if (start === -1) return null
  const end = lines.findIndex((line, at) => at > start && HEADING.test(line))
  const body = lines.slice(start + 1, end === -1 ? undefined : end)
  return normalize([...body.filter((line) => !isRow(line)), ...columnsOf(body)].join('\n'))
}

/** Joins lines and words that a line break divides: `cursor-` and `based` are one word. */
export function normalize(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/(\w-) (?=\w)/g, '$1')
    .trim()
}

/** The texts of the cells below each other, column by column. A line of dashes ends a cell. */
function columnsOf(lines: readonly string[]): readonly string[] {
  const texts: string[] = []
  let cells: string[] = []
  for (const line of lines) {
    if (isRow(line)) {
      for (const [at, cell] of line.split('|').slice(1, -1).entries()) {
        cells[at] = `${cells[at] ?? ''} ${cell}`
      }
    } else if (/^ *\+[-=+]+\+$/.test(line)) {
      texts.push(...cells)
      cells = []
    }
  }
  return [...texts, ...cells]
}

function isRow(line: string): boolean {
  return /^ *\|.*\|$/.test(line)
}

/** The folders that may have the texts: the one of PLUMBLINE_RFC, or `shared/rfc` next to this checkout or its origin. */
function foldersOfTexts(): readonly string[] {
  const { PLUMBLINE_RFC } = process.env
  if (PLUMBLINE_RFC !== undefined) return [PLUMBLINE_RFC]
  const root = fileURLToPath(new URL('../../../', import.meta.url))
  return [root, originOf(root)].flatMap((one) =>
    one === null ? [] : [resolve(root, one, '../shared/rfc')],
  )
}

/** The folder or URL that this checkout was cloned from; null without one. */
function originOf(root: string): string | null {
  try {
    const args = ['-C', root, 'config', '--get', 'remote.origin.url']
    return execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return null
  }
}

const FOLDERS = foldersOfTexts()
const HEADING = /^(?:\d+\.|[A-Z]\.|Appendix )/
const PAGE = /\f|\[Page \d+\]$|^RFC \d+ {3,}/
