/** A bare server that answers every request with the same body, of a given length. */
import { createServer } from 'node:http'

const body = Buffer.alloc(Number(process.argv[2]), 'x')
const headers = { 'Content-Type': 'application/scim+json', 'Content-Length': body.length }

const server = createServer((_, response) => {
  response.writeHead(200, headers)
  response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  process.send?.(Object(server.address()).port)
})
