/** The built site in Chromium: `npm run docs` builds it. */
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { openBrowser } from '../../../apps/directory/test/browser/browser.ts'

const folder = fileURLToPath(new URL('../../dist/site', import.meta.url))
if (!existsSync(join(folder, 'llms.txt'))) throw new Error('The site is missing: npm run docs')
const server = createServer((request, response) => {
  const path = decodeURIComponent(new URL(request.url ?? '/', 'http://site').pathname)
  const file = join(folder, path.endsWith('/') ? `${path}index.html` : path)
  if (!existsSync(file)) return response.writeHead(404).end()
  const type = TYPES[extname(file)] ?? 'application/octet-stream'
  return response.writeHead(200, { 'Content-Type': type }).end(readFileSync(file))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
afterAll(() => server.close())
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const site = { origin, token: '' }
const browser = await openBrowser()
afterAll(() => browser.close())

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.md': 'text/markdown',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

const PAGES = [
  ['the first page', '/'],
  ['a page to start with', '/start/kysely.html'],
  ['a guide with tables', '/scim/existing-tables.html'],
  ['a page about errors', '/troubleshooting/scim.html'],
  ['a page of the reference', '/reference/scim/filter/'],
] as const
const WINDOWS = [
  ['a telephone', { viewport: { width: 390, height: 844 } }],
  ['a wide window', { viewport: { width: 1600, height: 900 } }],
] as const

for (const [what, path] of PAGES) {
  for (const [size, window] of WINDOWS) {
    for (const colorScheme of ['light', 'dark'] as const) {
      it(`${what} is accessible in ${size} with the ${colorScheme} colors, without another origin`, async () => {
        const visit = await browser.visit(site, { ...window, colorScheme })
        const requested: string[] = []
        visit.page.on('request', (request) => requested.push(new URL(request.url()).origin))
        await visit.open(path)
        await visit.page.locator('h1').waitFor()
        await visit.expectAccessible()
        expect(new Set(requested)).toEqual(new Set([origin]))
        await visit.close()
      })
    }
  }
}

it.each([
  ['aadOptscim062020', 'Connect Microsoft Entra ID'],
  ['noTarget', 'SCIM errors'],
  ['ERR_REQUIRE_ESM', 'Installation'],
  ['uniqueness', 'SCIM errors'],
  ['optional-segment', 'Faults of a document'],
])('a search for %s finds the page %s', async (words, title) => {
  const visit = await browser.visit(site)
  await visit.open('/')
  await visit.page.getByRole('button', { name: 'Search' }).first().click()
  await visit.page.getByRole('searchbox').fill(words)
  await visit.page.locator('.results .result').first().waitFor()
  const results = await visit.page.locator('.results .result').allInnerTexts()
  expect(results.join('\n')).toContain(title)
  await visit.expectAccessible()
  await visit.close()
})

it('without scripts, a guide is complete and its links work', async () => {
  const visit = await browser.visit(site, { javaScriptEnabled: false })
  await visit.open('/start/kysely.html')
  expect(await visit.page.locator('main').innerText()).toContain('createScimEndpoint')
  await visit.page.getByRole('link', { name: 'Examine it' }).click()
  await visit.page.getByRole('heading', { name: 'Examine a SCIM server' }).waitFor()
  await visit.close()
})

it('each page of llms.txt is also Markdown', async () => {
  const text = await (await fetch(`${origin}/llms.txt`)).text()
  const links = [...text.matchAll(/\]\((\/[^)]+\.md)\)/g)].map(([, link = '']) => link)
  expect(links.length).toBeGreaterThan(80)
  for (const link of links) {
    const page = await fetch(`${origin}${link}`)
    expect(page.status, link).toBe(200)
    expect(await page.text(), link).toMatch(/^# \S/m)
  }
})
