/** Opens the reference page of the directory, and of a document with every kind of schema, in Chromium. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'node:test'
import { getRequestListener } from '@hono/node-server'
import { createDocument, type DocumentBuilder } from '@plumbline/openapi'
import { implement } from '@plumbline/openapi/server'
import { chromium } from 'playwright-core'
import { script, style } from './server.ts'

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
const skip = existsSync(executablePath) ? false : `${executablePath} does not exist`
const root = new URL('../../', import.meta.url)

const DOCUMENTS = [
  { file: 'apps/directory/src/shell/operations.ts', name: 'apiDocument', blocked: /^$/ },
  {
    file: 'packages/openapi/test/kitchen-sink.ts',
    name: 'kitchenSink',
    // The policy blocks the configuration of a scheme on another origin, and Swagger UI reports that.
    blocked: /openid-configuration|Failed to fetch/,
  },
]

for (const { file, name, blocked } of DOCUMENTS) {
  test(`the page shows each operation of ${file}`, { skip }, async (context) => {
    const builder: DocumentBuilder = (await import(new URL(file, root).href))[name]
    const operations = [...builder.operations()]
    const server = createServer(getRequestListener(createApi(builder).fetch))
    server.listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    context.after(() => server.close())
    const { port } = server.address() as AddressInfo
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
    context.after(() => browser.close())
    const page = await browser.newPage()
    const errors: string[] = []
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    page.on('pageerror', (error) => errors.push(String(error)))

    await page.goto(`http://127.0.0.1:${port}/docs`)
    await page
      .locator('.opblock')
      .nth(operations.length - 1)
      .waitFor()
    assert.equal(await page.locator('.opblock').count(), operations.length)
    await page.locator('.opblock-summary-control').evaluateAll((blocks) => {
      for (const block of blocks) (block as HTMLElement).click()
    })
    // Each operation shows its responses.
    const responses = page.locator('.responses-wrapper')
    // Swagger UI needs about a second for each operation on a busy machine.
    await responses.nth(operations.length - 1).waitFor({ timeout: 180_000 })
    assert.equal(
      await page.getByText(/resolver error|could not resolve|unable to render/i).count(),
      0,
    )
    assert.deepEqual(
      errors.filter((error) => !blocked.test(error)),
      [],
    )
  })
}

/** An API of the document, with the default problems, whose handlers are not called. */
function createApi(builder: DocumentBuilder) {
  const document = createDocument({
    info: { title: 'Books', version: '1.0.0' },
    problems: builder.problems(),
    securitySchemes: builder.securitySchemes(),
    security: builder.security(),
    defaults: {},
  }).add(...builder.operations())
  const ids = [...builder.operations()].map(({ operationId }) => operationId)
  const handlers = Object.fromEntries(ids.map((id) => [id, () => null]))
  const schemes = Object.keys(builder.securitySchemes())
  const security = Object.fromEntries(schemes.map((name) => [name, () => null]))
  const options = { docs: { path: '/docs', script, style }, handlers, security }
  return implement(document, options as never)
}
