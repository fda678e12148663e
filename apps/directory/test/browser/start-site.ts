import { afterAll } from 'vitest'
import { type Chromium, openBrowser } from './browser.ts'
import { type Site, startDirectory } from './site.ts'

/** Starts a server and Chromium for the tests of a file, and stops both after them. */
export async function startSite(): Promise<{ readonly site: Site; readonly browser: Chromium }> {
  const site = await startDirectory()
  afterAll(() => site.stop())
  const browser = await openBrowser()
  afterAll(() => browser.close())
  return { site, browser }
}
