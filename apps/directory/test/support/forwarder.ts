import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** Forwards connections to a database server, as a load balancer or a virtual address does. */
export interface Forwarder {
  /** The address of the forwarder, in the form of the URL of its first target. */
  readonly url: string
  /** Closes all connections, and forwards new ones to another port of the same host. */
  redirect(port: number): void
  /** Whether data is dropped, without closing connections. */
  isSilent: boolean
  close(): void
}

/** Listens on a free port, and forwards to the server of a URL. */
export async function startForwarder(target: string): Promise<Forwarder> {
  const { port: first, hostname } = new URL(target)
  let farPort = Number(first || 5432)
  const sockets = new Set<Socket>()
  const forwarder = { isSilent: false }
  const server = createServer((near) => {
    const far = connect(farPort, hostname)
    const join = (from: Socket, to: Socket): void => {
      sockets.add(from)
      from.on('error', () => undefined)
      from.on('data', (chunk) => forwarder.isSilent || to.write(chunk))
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
    join(near, far)
    join(far, near)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a port is expected')
  const url = new URL(target)
  url.host = `127.0.0.1:${address.port}`
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return Object.assign(forwarder, {
    url: url.href,
    redirect: (port: number) => {
      farPort = port
      cut()
    },
    close: () => {
      cut()
      server.close()
    },
  })
}
