import { globSync, readFileSync, statSync } from 'node:fs'
import { formatReport } from '@plumbline/doctor'
import { expect, it } from 'vitest'
import { relativeTime } from '../../../src/shell/console/assets/times.js'
import { readIcons, readStyles } from '../../../src/shell/console/design.ts'

const source = new URL('../../../src/shell/console/', import.meta.url)
const filesOf = (pattern: string) =>
  globSync(pattern, { cwd: source }).map((name) => new URL(name, source))

it('the console scripts have at most 50 kB', () => {
  const sizes = filesOf('assets/*.js').map((file) => statSync(file).size)
  expect(sizes.length).toBeGreaterThan(0)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(50_000)
})

it('the console does not import the function for inserting strings without escaping', () => {
  for (const file of filesOf('**/*.ts')) {
    expect(readFileSync(file, 'utf8'), file.pathname).not.toMatch(/\braw\b[^'\n]*from 'hono/)
  }
})

it('the scripts do not write HTML, except the rows the server has written', () => {
  for (const file of filesOf('assets/*.js')) {
    const text = readFileSync(file, 'utf8')
    expect(text, file.pathname).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|createContextualFragment|setHTML|document\.write|eval\(/,
    )
    const isLive = file.pathname.endsWith('/requests.js')
    expect(text.match(/DOMParser/g) ?? [], file.pathname).toHaveLength(isLive ? 1 : 0)
  }
})

it('the style sheet is complete, has at most 200 kB, and loads nothing', () => {
  const styles = readStyles()
  expect(Buffer.byteLength(styles)).toBeLessThanOrEqual(200_000)
  expect(styles.split('{')).toHaveLength(styles.split('}').length)
  // The Content-Security-Policy would block a picture in it.
  expect(styles).not.toMatch(/url\(|@import/)
  // The copies of each component for other widths of the window, such as `.sm\:btn`.
  expect(styles).not.toContain('\\:')
})

it("the doctor's report has the console theme", () => {
  const run = { date: '2026-11-24T09:00:00Z', doctor: '2026.11.21', profiles: [] }
  const report = { target: 'https://example.com', ...run, marker: 'plumbline-1' }
  const page = formatReport(
    { ...report, outcomes: [], left: [], stopped: null },
    { format: 'html' },
  )
  const [, theme = ''] = /Our theme[^\n]*(.*?)body {/s.exec(readStyles()) ?? []
  expect(theme).toContain('prefers-color-scheme: dark')
  expect(page).toContain(theme)
})

it('each icon has its own picture and name', () => {
  const symbols = readIcons().match(/<symbol id="[a-z-]+" viewBox="[\d ]+">.*?<path .*?<\/symbol>/g)
  expect(symbols).toHaveLength(readIcons().split('\n').length - 3)
  expect(new Set(symbols).size).toBe(symbols?.length)
})

it.each([
  [0, 'just now'],
  [59, 'just now'],
  [60, '1 min ago'],
  [3_599, '59 min ago'],
  [3_600, '1 h ago'],
  [86_400, '1 day ago'],
  [2 * 86_400, '2 days ago'],
  [60 * 86_400, '2030-11-01'],
  [-1, 'just now'],
  [-30, 'in a minute'],
  [-80, 'in 1 min'],
  [-7 * 86_400 + 1, 'in 7 days'],
  [-3_599, 'in 1 h'],
  [-365 * 86_400, '2031-12-31'],
])('a time %i seconds ago is read as %j', (seconds, text) => {
  const now = Date.parse('2030-12-31T00:00:00Z')
  expect(relativeTime(now - seconds * 1_000, now)).toBe(text)
})
