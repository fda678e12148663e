import { expect, it } from 'vitest'
import { escapeControls } from './text.ts'

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
