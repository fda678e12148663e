import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'

/** Opens connections that send nothing, and returns the function that closes them. */
export async function openIdle(origin: string, count: number): Promise<() => void> {
  const { hostname, port } = new URL(origin)
  const sockets: Socket[] = []
  for (let at = 0; at < count; at += 1) {
    const socket = connect(Number(port), hostname)
    sockets.push(socket.on('error', () => undefined).resume())
    // The backlog of the server's port is short.
    if (at % 200 === 0) await setTimeout(15)
  }
  return () => {
    for (const socket of sockets) socket.destroy()
  }
}
