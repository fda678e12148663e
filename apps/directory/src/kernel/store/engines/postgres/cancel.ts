import pg from 'pg'
import { CONNECT_TIMEOUT } from './pools.ts'

/**
 * Asks the server to stop a connection's running statement. Never rejects, even if no statement was running.
 *
 * Sends the protocol's cancel request over a separate connection: `pg_cancel_backend` needs the server process
 * id, and poolers such as PgBouncer replace it with another one.
 *
 * @see https://www.postgresql.org/docs/15/protocol-flow.html#id-1.10.6.7.10
 */
export function cancel(client: pg.PoolClient): Promise<void> {
  const { host, port, ssl, sslNegotiation, processID, secretKey } = client as unknown as Target
  // The driver's own method for this does not encrypt, and its types omit the methods it calls.
  const connection = new pg.Connection({ ssl, sslNegotiation } as object) as unknown as Canceller
  return new Promise((resolve) => {
    const timer = setTimeout(() => connection.stream.destroy(), CONNECT_TIMEOUT)
    const end = (): void => {
      clearTimeout(timer)
      resolve()
    }
    const send = (): void => connection.cancel(processID, secretKey)
    const isDirect = sslNegotiation === 'direct'
    if (ssl === false) connection.once('connect', send)
    else {
      if (!isDirect) connection.once('connect', () => connection.requestSsl())
      connection.once('sslconnect', send)
    }
    connection.on('error', end)
    connection.once('end', end)
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`)
    else connection.connect(port, host)
  })
}

/** A client with its address, and the key the server expects. */
interface Target {
  readonly host: string
  readonly port: number
  readonly ssl: object | boolean
  readonly sslNegotiation: string
  readonly processID: number
  readonly secretKey: number
}

interface Canceller extends pg.Connection {
  connect(portOrPath: number | string, host?: string): void
  requestSsl(): void
  cancel(processID: number, secretKey: number): void
}
