/** A place in a text, counted from 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** Shows a position's line with a caret below it. Long lines are shortened around the position. */
export function drawExcerpt(text: string, { line, column }: Position): string {
  const whole = linesOf(text)[line - 1] ?? ''
  const start = Math.max(0, column - 1 - BEFORE)
  const end = Math.min(whole.length, start + WIDTH)
  const shown = whole.slice(start, end).replace(CONTROLS, '\uFFFD')
  const [left, right] = [start > 0 ? '…' : '', end < whole.length ? '…' : '']
  // Keeps tabs, so the caret is at the right column for any tab width.
  const indent = (left + shown).slice(0, left.length + column - 1 - start).replace(/[^\t]/g, ' ')
  return `${left}${shown}${right}\n${indent}^`
}

/** A text's lines; in YAML, a single carriage return also ends a line (YAML 1.2.2 §5.4). */
export function linesOf(text: string): readonly string[] {
  return text.split(/\r\n?|\n/)
}

/** The number of characters shown, and the number before the position. */
const WIDTH = 80
const BEFORE = 40
/** Characters that change how a terminal shows the others. */
const CONTROLS = /[^\t\P{Cc}]/gu
