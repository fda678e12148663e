/** Opens the reference page in Chromium, of Debian or at the path in CHROMIUM. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import test from 'node:test'
import { chromium } from 'playwright-core'
import { server } from './server.ts'

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
const skip = existsSync(executablePath) ? false : `${executablePath} does not exist`

test('the page shows the document in a browser without violating its policy', {
  skip,
}, async (context) => {
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  context.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  const browser = await chromium.launch({ executablePath })
  context.after(() => browser.close())
  const page = await browser.newPage()
  const errors: string[] = []
  const origins = new Set<string>()
  // A violation of the policy is an error of the console.
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('request', (request) => origins.add(new URL(request.url()).origin))

  await page.goto(`${origin}/docs`)
  assert.equal(await page.title(), 'Books 1.0.0')
  await page.getByText('Read a book').click()
  await page.getByRole('button', { name: 'Try it out' }).click()
  await page.getByPlaceholder('id').fill('b1')
  const answer = page.waitForResponse(`${origin}/books/b1`)
  await page.getByRole('button', { name: 'Execute' }).click()
  assert.deepEqual(await (await answer).json(), { title: 'Book b1' })
  await page.getByText('Book b1').first().waitFor()
  await page.getByText('Save a book').click()
  await page.getByRole('button', { name: 'Authorize', exact: true }).click()
  await page.getByText('token (http, Bearer)').waitFor()

  assert.deepEqual(errors, [])
  assert.deepEqual([...origins], [origin])
})
