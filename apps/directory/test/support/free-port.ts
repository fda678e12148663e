import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** Returns a port of the loopback that no server listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('a port is expected')
  return address.port
}

/** Returns free ports below those of outgoing connections, so that a stopped server can start again. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports = new Map<number, Server>()
  while (ports.size < count) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    if (ports.has(port)) continue
    const server = createServer().listen(port, '127.0.0.1')
    try {
      await once(server, 'listening')
      ports.set(port, server)
    } catch {
      // Another server listens on it.
    }
  }
  for (const server of ports.values()) {
    server.close()
    await once(server, 'close')
  }
  return [...ports.keys()]
}
