/** Serves the page, its bundle, the manifest and the API. */
import { createServer } from 'node:http'
import { createManifest } from '@plumbline/openapi/client'
import { createRequestListener } from '@plumbline/openapi/node'
import { rolldown } from 'rolldown'
import { api, builder } from './api.ts'

const input = new URL('browser.ts', import.meta.url).pathname
const bundle = await rolldown({ input, platform: 'browser' })
const { output } = await bundle.generate({
  format: 'esm',
  minify: true,
  entryFileNames: 'page.js',
})
const chunks = output.filter((one) => one.type === 'chunk')
const { imports = [] } = chunks[0] ?? {}
// The page loads other chunks when it uses them, such as the reader of streams.
export const script: string = chunks
  .filter(({ fileName }) => fileName === 'page.js' || imports.includes(fileName))
  .map(({ code }) => code)
  .join('')
const html = (body: string) => `<!doctype html><title>Books</title>${body}`
const page = html(
  '<input name=id><input type=file><output></output><script type=module src=/page.js></script>',
)
const FILES: Readonly<Record<string, readonly [type: string, text: string]>> = {
  '/': ['text/html', page],
  ...Object.fromEntries(
    chunks.map(({ fileName, code }) => [`/${fileName}`, ['text/javascript', code] as const]),
  ),
  '/manifest.json': ['application/json', JSON.stringify(createManifest(builder))],
}

async function fetch(request: Request): Promise<Response> {
  const [type, text] = FILES[new URL(request.url).pathname] ?? []
  if (type === undefined) return api.fetch(request)
  return new Response(text, { headers: { 'Content-Type': `${type}; charset=utf-8` } })
}
export const server = createServer(createRequestListener({ fetch }))
