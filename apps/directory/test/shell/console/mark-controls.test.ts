import { expect, it } from 'vitest'
import { markControls } from '../../../src/shell/console/mark-controls.ts'

it.each([
  ['a name', '<b>a\u202Egpj.exe</b>', '<b>a⟨U+202E⟩gpj.exe</b>'],
  ['an isolate', 'a\u2066b\u2069', 'a⟨U+2066⟩b⟨U+2069⟩'],
])('the characters changing the direction of %s are shown', (_, page, shown) => {
  expect(markControls(page)).toBe(shown)
})

it.each([
  ['an attribute', '<input value="a\u202Eb">'],
  ['a field', '<textarea id="a">a\u202Eb</textarea>'],
  ['text from right to left', '<b>\u0627\u200F\u0628</b>'],
])('%s stays as it is', (_, page) => {
  expect(markControls(page)).toBe(page)
})
