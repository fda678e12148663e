import { globSync, readFileSync, statSync } from 'node:fs'
import { expect, it } from 'vitest'

const source = new URL('../../src/console/', import.meta.url)
const filesOf = (pattern: string) =>
  globSync(pattern, { cwd: source }).map((name) => new URL(name, source))

it('the scripts of the console have at most 50 kB', () => {
  const sizes = filesOf('assets/*.js').map((file) => statSync(file).size)
  expect(sizes.length).toBeGreaterThan(0)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(50_000)
})

it('the console does not import the function that inserts strings without escaping', () => {
  for (const file of filesOf('**/*.ts')) {
    expect(readFileSync(file, 'utf8'), file.pathname).not.toMatch(/\braw\b[^'\n]*from 'hono/)
  }
})

it('the scripts do not write HTML, except the rows that the server has written', () => {
  for (const file of filesOf('assets/*.js')) {
    const text = readFileSync(file, 'utf8')
    expect(text, file.pathname).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|createContextualFragment|setHTML|document\.write|eval\(/,
    )
    const isLive = file.pathname.endsWith('/requests.js')
    expect(text.match(/DOMParser/g) ?? [], file.pathname).toHaveLength(isLive ? 1 : 0)
  }
})
