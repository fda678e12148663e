/** Runs the typed client in Chromium, of Debian or at the path in CHROMIUM. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import test from 'node:test'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { script, server } from './server.ts'

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
const skip = existsSync(executablePath) ? false : `${executablePath} does not exist`

test('the bundle of the page excludes zod, and has at most 5 kB compressed', () => {
  assert.ok(gzipSync(script).byteLength <= 5_000)
  assert.doesNotMatch(script, /zod/i)
})

test('a page reads answers, problems and files by the typed client', { skip }, async (context) => {
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  context.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const flags = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
  const browser = await chromium.launch({ executablePath, args: flags })
  context.after(() => browser.close())
  const page = await browser.newPage()
  const failures: string[] = []
  page.on('pageerror', (error) => failures.push(String(error)))
  await page.goto(`http://127.0.0.1:${port}/`)
  // The page listens to its fields when it has the manifest.
  await page.waitForLoadState('networkidle')

  const shown = async (text: string) => {
    await page.locator('output', { hasText: text }).waitFor({ timeout: 5_000 })
  }
  for (const [id, text] of [
    ['b1', 'Emma, 320 pages'],
    ['b2', 'gone since 2026'],
    ['b 3/ü', 'Book not found'],
  ] as const) {
    await page.locator('input[name=id]').fill(id)
    await page.locator('input[name=id]').blur()
    await shown(text)
  }
  const buffer = Buffer.from([0x89, 0x50, 0x4e, 0x47])
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'cover.png', mimeType: 'image/png', buffer })
  await shown('4 bytes of image/png')
  assert.deepEqual(failures, [])
})
