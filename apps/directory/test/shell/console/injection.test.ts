import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTenant } from '../../../src/features/tenants/store.ts'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Store } from '../../../src/kernel/store/store.ts'
import { markControls } from '../../../src/shell/console/mark-controls.ts'
import { MARKUP } from '../../contract/markup.cases.ts'
import { type Browser, openConsole } from '../../support/console-client.ts'

let store: Store
let browser: Browser
beforeAll(async () => {
  store = await openSqlite(':memory:')
  browser = await openConsole(store)
})
afterAll(() => store.close())

describe.each(MARKUP)('the string %j', (text) => {
  it("the string is text as a tenant's name", async () => {
    const id = `t-${crypto.randomUUID()}`
    await store.write((db) => createTenant(db, { id, name: text, created_at: 0 }))
    for (const path of ['/console/tenants', `/console/tenants/${id}`]) {
      expectText((await browser.open(path)).text, text)
    }
  })

  it('the string is text as a value in a form with errors', async () => {
    const page = await browser.post('/console/tenants', { id: text, name: text })
    expect(page.status).toBe(422)
    expectText(page.text, text)
  })

  it('the string is text in the path and in the query', async () => {
    const page = await browser.open(`/console/tenants/${encodeURIComponent(text)}`)
    expect(page.status).toBe(404)
    expectText(page.text, text)
    const path = `/console/sign-in?next=${encodeURIComponent(text)}`
    expectHarmless((await browser.open(path)).text)
    const moved = await browser.open(`/console/open-tenant?id=${encodeURIComponent(text)}`)
    expect(new URL(moved.headers.get('Location') ?? '', 'http://localhost').origin).toBe(
      'http://localhost',
    )
  })
})

/** Expects that a page contains a string, escaped. */
function expectText(page: string, text: string): void {
  expect(page).toContain(markControls(escaped(text)))
  expectHarmless(page)
}

const ICON =
  /<svg class="icon" aria-hidden="true"><use href="\/console\/assets\/icons\.\w+\.svg#[a-z-]+"\/><\/svg>/g

/** The field of the sign-in page, in which the cursor is. */
const FOCUSED = /(<input id="field-token"[^>]*) autofocus/

/** Expects that a page has only the elements and attributes of its author. */
function expectHarmless(page: string): void {
  const tags =
    page
      .replaceAll(ICON, '')
      .replace(FOCUSED, '$1')
      .match(/<[a-z!/][^>]*>/gi) ?? []
  for (const tag of tags) {
    expect(tag).not.toMatch(/<(?:iframe|img|svg(?! role="img")|base|style|textarea|!--|!\[)/i)
    expect(tag.replaceAll(/"[^"]*"/g, '')).not.toMatch(/\son\w+\s*=|srcdoc|autofocus/i)
    expect(tag).not.toMatch(/(?:href|src|action)="(?!\/|#|")/)
  }
  expect(page).not.toMatch(/<script(?! type="module" src="\/console\/assets\/)/)
  expect(page).not.toMatch(/<meta http-equiv/)
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
