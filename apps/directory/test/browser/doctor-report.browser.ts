import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { examine, formatReport, type Report } from '@plumbline/doctor'
import { unwrap } from '@plumbline/result'
import { afterAll, expect, it } from 'vitest'
import { startSite } from './start-site.ts'

const { site, browser } = await startSite()
const folder = mkdtempSync(join(tmpdir(), 'plumbline-report-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Examines the directory behind a proxy that changes its answers. */
async function examineChanged(change: (response: Response) => Promise<Response>): Promise<Report> {
  const { origin, token } = site
  const answer = async (request: Request) => await change(await fetch(request))
  const base = `${origin}/scim/v2`
  const only = ['create', 'read', 'authentication']
  return unwrap(await examine(answer, { base, token, only, limits: { rate: 50 } }))
}

/** The text of a report as a reader sees it, with every part open. */
async function readPage(report: Report): Promise<string> {
  const file = join(folder, `${report.marker}.html`)
  writeFileSync(file, formatReport(report, { format: 'html' }))
  const visit = await browser.visit(site)
  await visit.open(String(pathToFileURL(file)))
  for (const details of await visit.page.locator('details').all()) {
    await details.evaluate((one) => one.setAttribute('open', ''))
  }
  const text = await visit.page.locator('body').innerText()
  for (const colorScheme of ['light', 'dark'] as const) {
    await visit.page.emulateMedia({ colorScheme })
    await visit.expectAccessible()
  }
  await visit.page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  const paper = await visit.page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
  expect(paper, 'a reader of dark pages prints in light').toBe('rgb(255, 255, 255)')
  await visit.close()
  return text
}

it("the doctor's report starts with the verdict, and shows each finding once, as text", async () => {
  const cookie = 'session-value-0123456789'
  const report = await examineChanged(async (response) => {
    if (response.status !== 201) return response
    const headers = new Headers(response.headers)
    headers.append('Set-Cookie', `sid=${cookie}; HttpOnly`)
    headers.delete('Content-Length')
    const body = { ...(await response.json()), nickName: `</p>${cookie}` }
    return new Response(JSON.stringify(body), { status: 200, headers })
  })
  const failed = report.outcomes.filter(({ status }) => status === 'failed')
  expect(failed.map(({ id }) => id)).toContain('create.user')
  const text = await readPage(report)
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  expect(lines[0]).toBe(`SCIM examination of ${site.origin}/scim/v2`)
  expect(lines[1]).toMatch(/^Examined at .* by @plumbline\/doctor/)
  expect(lines[2]).toMatch(/The server breaks \d+ rules? of the standard/)
  expect(text.split('The worst findings')).toHaveLength(2)
  expect(text).toContain('POST /Users to answer 201')
  // No rest of a tag or an attribute, as `good">` was.
  expect(text).not.toMatch(/\b(?:alert|badge|card|hint)[\w-]*">|<\/(?!p>)/)
  expect(text).not.toContain(cookie)
  expect(text).not.toContain(site.token)
})

it("a server's report without a finding says so in its first sentence", async () => {
  const report = await examineChanged(async (response) => response)
  expect(report.outcomes.filter(({ status }) => status === 'failed')).toEqual([])
  const [, , verdict] = (await readPage(report)).split('\n').filter((line) => line.trim() !== '')
  expect(verdict).toMatch(/^\d+ of \d+ checks passed\. .*No rule of the standard was found broken/)
})
