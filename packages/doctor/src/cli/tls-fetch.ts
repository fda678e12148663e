import { readFile } from 'node:fs/promises'
import { Agent, request } from 'node:https'
import { resolve } from 'node:path'
import type { Fetch } from '../lib/http/transport.ts'
import { CommandError, orCommandError } from './command-error.ts'
import type { GivenCredentials } from './parse-arguments.ts'

/** Creates a function to send requests with a client certificate, which Node.js's `fetch` cannot. */
export async function createTlsFetch(
  { cert, key, ca }: NonNullable<GivenCredentials['certificate']>,
  folder: string,
): Promise<Fetch> {
  const read = (path: string): Promise<string> =>
    orCommandError(`${path}: `, () => readFile(resolve(folder, path), 'utf8'))
  const files = {
    cert: await read(cert),
    key: await read(key),
    ...(ca === null ? {} : { ca: await read(ca) }),
  }
  const agent = await orCommandError('', () => new Agent({ ...files, keepAlive: true }))
  return async (sent) => {
    if (!sent.url.startsWith('https:')) throw new CommandError('--cert is for an https URL')
    const body = sent.body === null ? null : Buffer.from(await sent.arrayBuffer())
    return new Promise((fulfill, reject) => {
      const headers = Object.fromEntries(sent.headers)
      const { method, signal } = sent
      const outgoing = request(sent.url, { agent, method, headers, signal }, (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () => {
          const { statusCode: status = 0, headersDistinct } = incoming
          const pairs = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
            values.map((value): [string, string] => [name, value]),
          )
          const isEmpty = status === 204 || status === 304 || chunks.length === 0
          const init = { status, headers: new Headers(pairs) }
          fulfill(new Response(isEmpty ? null : Buffer.concat(chunks), init))
        })
      })
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  }
}
