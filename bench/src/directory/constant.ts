/**
 * Answers every request with the same body, whose length is given. With the argument `layer`, a `fetch` handler runs on
 * the directory's HTTP layer; otherwise a bare `node:http` server runs.
 */
import { serveBare, serveFetch } from './serve.ts'

const [, , length, layer] = process.argv
const type = 'application/scim+json'

if (layer === 'layer') {
  const text = 'x'.repeat(Number(length))
  serveFetch(async () => new Response(text, { headers: { 'Content-Type': type } }))
} else {
  const body = Buffer.alloc(Number(length), 'x')
  const headers = { 'Content-Type': type, 'Content-Length': body.length }
  serveBare((_, response) => {
    response.writeHead(200, headers)
    response.end(body)
  })
}
