import pico from 'picocolors'
import { expect, it } from 'vitest'
import type { Level } from '../lib/check.ts'
import { REPORT } from '../lib/report.cases.ts'
import { escapeControls, writeText } from './text.ts'

it.each([
  ['Zoë 😀', 'Zoë 😀'],
  ['\u001b[2J', '\\u001b[2J'],
  ['a\nb\r\tc', 'a\\u000ab\\u000d\\u0009c'],
  ['\u007f\u009b', '\\u007f\\u009b'],
  // Marks that change the direction or the lines of a text.
  ['\u202e\u2028\u2029', '\\u202e\\u2028\\u2029'],
])('%j is shown as %s, which does not change a terminal', (text, shown) => {
  expect(escapeControls(text)).toBe(shown)
})

it.each([
  ['SHOULD', 33],
  ['practice', 33],
  ['MUST', 31],
  ['defined', 31],
] as const)(
  'the text report paints the verdict, finding, section and totals of a failed %s in color %i',
  (level: Level, color) => {
    const [passed] = REPORT.outcomes
    if (passed === undefined) throw new Error('the report has a passed check')
    const outcomes = [passed, { ...passed, level, status: 'failed' as const }]
    const text = writeText({ ...REPORT, outcomes, stopped: null }, null, pico.createColors(true))
    const painted = text.split('\u001b[').flatMap((part) => /^3[123](?=m)/.exec(part) ?? [])
    expect(painted).toEqual(Array(4).fill(String(color)))
  },
)
