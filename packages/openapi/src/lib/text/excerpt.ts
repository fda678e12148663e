import type { Position } from './errors.ts'

/** Shows the line of a place, with a caret below the place; of a long line, what is around it. */
export function excerptOf(text: string, { line, column }: Position): string {
  const whole = linesOf(text)[line - 1] ?? ''
  const start = Math.max(0, column - 1 - BEFORE)
  const end = Math.min(whole.length, start + WIDTH)
  const shown = whole.slice(start, end).replace(CONTROLS, '\uFFFD')
  const [left, right] = [start > 0 ? '…' : '', end < whole.length ? '…' : '']
  // Tabs stay, so that the caret is below the place however wide they are.
  const indent = (left + shown).slice(0, left.length + column - 1 - start).replace(/[^\t]/g, ' ')
  return `${left}${shown}${right}\n${indent}^`
}

/** The lines of a text; in YAML, a carriage return alone ends a line too (YAML 1.2.2 §5.4). */
export function linesOf(text: string): readonly string[] {
  return text.split(/\r\n?|\n/)
}

/** How many characters of a line are shown, and how many of them before the place. */
const WIDTH = 80
const BEFORE = 40
/** Characters that change how a terminal shows the others. */
const CONTROLS = /[^\t\P{Cc}]/gu
