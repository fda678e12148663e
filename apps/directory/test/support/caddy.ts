import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingHttpHeaders, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

/** Caddy with a site on this machine. */
export interface Caddy {
  /** Sends a target as it is: `fetch` would resolve its dots. */
  send(target: string, method?: string): Promise<CaddyAnswer>
  stop(): Promise<void>
}

/** An answer of Caddy or of a server behind it. */
export interface CaddyAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Starts Caddy with the file of a page, whose site is `directory.example.com`, and with environment variables. */
export async function startCaddy(
  page: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<Caddy> {
  const port = await freePort()
  const site = page.replace('directory.example.com', `http://127.0.0.1:${port}`)
  const folder = mkdtempSync(join(tmpdir(), 'caddy-'))
  const file = join(folder, 'Caddyfile')
  writeFileSync(file, `{\n  admin off\n  auto_https off\n}\n${site}`)
  const env = { PATH: process.env.PATH, HOME: folder, ...variables }
  const child = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], { env })
  await listening(child)
  return {
    send: async (target, method = 'GET') => {
      const sent = request({ host: '127.0.0.1', port, path: target, method }).end()
      const [response] = await once(sent, 'response')
      let body = ''
      for await (const chunk of response.setEncoding('utf8')) body += chunk
      return { status: Number(response.statusCode), headers: response.headers, body }
    },
    stop: async () => {
      child.kill('SIGKILL')
      await once(child, 'close')
      rmSync(folder, { recursive: true })
    },
  }
}

/** Waits until Caddy serves. An error in its file ends it. */
async function listening(child: ChildProcess): Promise<void> {
  let output = ''
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => reject(new Error(`Caddy has ended with ${code}: ${output}`)))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (output.includes('serving initial configuration')) resolve()
    })
  })
}
