import axe, { type AxeResults } from 'axe-core'
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Site } from './site.ts'

/** Debian's Chromium, or the one at `CHROMIUM`. */
export interface Chromium {
  /** Opens a page. It fails the test if a page writes an error to the console, or violates its policy. */
  visit(site: Pick<Site, 'origin' | 'token'>, options?: BrowserContextOptions): Promise<Visit>
  close(): Promise<void>
}

/** A window of a browser with cookies of its own. */
export interface Visit {
  readonly page: Page
  /** Opens a path of the site. */
  open(path: string): Promise<void>
  /** Signs in with the administrator's token, and opens a path of the console. */
  signIn(path?: string): Promise<void>
  /** Expects a page without violations of axe-core, errors, and content that is wider than the window. */
  expectAccessible(): Promise<void>
  /** Expects that no page wrote an error to the console, and closes the window. */
  close(): Promise<void>
}

/** Starts Chromium. */
export async function openBrowser(): Promise<Chromium> {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  return {
    close: () => browser.close(),
    visit: async (site, options = {}) => {
      const context = await browser.newContext({ baseURL: site.origin, ...options })
      const page = await context.newPage()
      const errors = errorsOf(page)
      const open = async (path: string): Promise<void> => {
        await page.goto(path)
      }
      return {
        page,
        open,
        signIn: async (path = '/console') => {
          await open(path)
          await page.getByLabel('Administrator’s token').fill(site.token)
          await page.getByRole('button', { name: 'Sign in' }).click()
          await page.locator('.shell').waitFor()
        },
        expectAccessible: async () => {
          expect(await violationsOf(page), page.url()).toEqual([])
          expect(await overflowOf(page), `the width of ${page.url()}`).toBeLessThanOrEqual(0)
        },
        close: async () => {
          expect(errors).toEqual([])
          await context.close()
        },
      }
    },
  }
}

/** The errors in the console of a page: a violation of the Content-Security-Policy is one of them. */
function errorsOf(page: Page): readonly string[] {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('console', (message) => {
    // An answer such as 404 or 422 is an error of the network, which a test may want.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      errors.push(message.text())
    }
  })
  return errors
}

/** The violations that axe-core finds, with the elements. */
async function violationsOf(page: Page): Promise<readonly string[]> {
  // Colors are judged as they are after a dialog has appeared. An endless animation never finishes.
  await page.evaluate(SETTLED)
  // The source is evaluated by the debugger, so that the policy of the page does not block it.
  await page.evaluate(axe.source)
  const found = await page.evaluate<AxeResults>('axe.run()')
  return found.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html }) => `${id}: ${help}: ${html}`),
  )
}

const SETTLED = `Promise.allSettled(
  document.getAnimations().map((one) => one.effect.getComputedTiming().endTime < Infinity && one.finished)
)`

/** By how many pixels the content is wider than the window. */
async function overflowOf(page: Page): Promise<number> {
  return await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
}
