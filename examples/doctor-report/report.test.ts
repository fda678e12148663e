/** Opens the report of a faulty, hostile server in Chromium, of Debian or at the path in CHROMIUM. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { pathToFileURL } from 'node:url'
import { USER_DEFINITION } from '@plumbline/scim/discovery'
import { createScimEndpoint, defineResourceType, memoryStore } from '@plumbline/scim/endpoint'
import { chromium } from 'playwright-core'
import { writeReport } from './report.ts'

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const skip = existsSync(executablePath) ? false : `${executablePath} does not exist`

const HOSTILE = [
  '<script>document.title = "changed"</script>',
  '</pre></details></main><img src="https://evil.example/x" onerror="document.title = 1">',
  '"><svg onload="document.title = 1"></svg>',
  '</style><style>body { display: none }</style>',
  `<a href="javascript:alert(1)">x</a>${'x'.repeat(500)}`,
].join('')

test('the report is readable in a browser, and the texts of a server are inert', {
  skip,
}, async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-report-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'report.html')
  const failed = await writeReport(createHostileServer(), 'secret-token', file)
  assert.ok(failed > 3)

  const browser = await chromium.launch({ executablePath })
  context.after(() => browser.close())
  for (const width of [390, 1440]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme })
      const errors: string[] = []
      const requests: string[] = []
      page.on('console', (message) => errors.push(message.text()))
      page.on('pageerror', (error) => errors.push(String(error)))
      page.on('request', (request) => requests.push(new URL(request.url()).protocol))
      await page.goto(String(pathToFileURL(file)))
      // Everything is shown, so that each part is measured.
      await page.evaluate(() => {
        for (const one of document.querySelectorAll('details')) one.open = true
      })
      const found = await page.evaluate(() => ({
        overflow: document.documentElement.scrollWidth - window.innerWidth,
        title: document.title,
        active: document.querySelectorAll(
          'script, img, svg, a:not([href^="https://"]), iframe, form, body > :not(main)',
        ).length,
        styles: document.querySelectorAll('style').length,
        height: document.querySelector('main')?.getBoundingClientRect().height ?? 0,
        ink: getComputedStyle(document.body).color,
        paper: getComputedStyle(document.body).backgroundColor,
        text: document.body.innerText,
      }))
      const { ink, paper, height, text, ...rest } = found
      assert.deepEqual(rest, {
        overflow: 0,
        title: 'SCIM examination of https://scim.example/scim/v2',
        active: 0,
        styles: 1,
      })
      assert.ok(height > 1_000)
      assert.notEqual(ink, paper)
      assert.equal(paper === 'rgb(255, 255, 255)', colorScheme === 'light')
      assert.match(text, /What to do/)
      assert.doesNotMatch(text.replaceAll(HOSTILE, ''), /(?:alert|badge|card|hint)[\w-]*">/)
      assert.match(text, /Microsoft Entra ID/)
      assert.ok(text.includes(HOSTILE.slice(0, 40)))
      assert.ok(!text.includes('secret-token'))
      assert.deepEqual(errors, [])
      assert.deepEqual(requests, ['file:'])
      const screenshots = process.env['SCREENSHOTS']
      if (screenshots)
        await page.screenshot({ path: join(screenshots, `${width}-${colorScheme}.png`) })
      await page.close()
    }
  }
})

/** A server whose errors and names contain HTML, and that returns the token. */
function createHostileServer(): (request: Request) => Promise<Response> {
  const store = memoryStore({ definitions: { [USER_DEFINITION.id]: USER_DEFINITION } })
  const { fetch } = createScimEndpoint({
    basePath: '/scim/v2',
    resourceTypes: [defineResourceType({ name: 'User', endpoint: '/Users', store })],
    authenticate: async () => ({}),
  })
  return async (request) => {
    const response = await fetch(request)
    const { pathname, search } = new URL(request.url)
    if (!pathname.startsWith('/scim/v2/Users') || search.includes('filter')) return response
    if (response.status === 204) return response
    const body: unknown = await response.json()
    const headers = { 'Content-Type': 'application/scim+json', 'X-Name': HOSTILE }
    const echo = `${HOSTILE} ${request.headers.get('Authorization')}`
    if (request.method === 'GET' && response.status === 200 && search === '') {
      return Response.json({ ...Object(body), displayName: echo, active: HOSTILE }, { headers })
    }
    if (response.status < 400) return Response.json(body, { status: response.status, headers })
    return Response.json(
      { detail: echo, status: HOSTILE, scimType: HOSTILE },
      { status: 418, headers },
    )
  }
}
