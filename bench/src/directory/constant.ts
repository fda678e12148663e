/**
 * A server that answers every request with the same body, of a given length. With the argument `layer` it is a
 * `fetch` handler on the HTTP layer of the directory; else it is a bare server of `node:http`.
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
