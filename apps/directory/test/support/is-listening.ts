import { once } from 'node:events'
import { connect } from 'node:net'

/** Returns whether a server accepts connections on a port of the loopback. */
export async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
