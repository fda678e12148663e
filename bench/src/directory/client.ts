/** Sends requests to the directory, and reports how long they took. */
import { personId, personOf } from '../../../apps/directory/src/commands/seed/people.ts'
import { type Loaded, sendAll } from '../sockets.ts'
import { SEED } from './seeded.ts'

/** The requests to send. */
export interface Load {
  readonly port: number
  readonly kind: keyof typeof PATHS
  readonly token: string
  /** The number of users in the database. */
  readonly users: number
  readonly requests: number
}

const PATHS = {
  'read by id': (number: number) => `/scim/v2/Users/${personId(number, SEED)}`,
  'match by userName': (number: number) => {
    const filter = `userName eq "${personOf(number, SEED).resource.userName}"`
    return `/scim/v2/Users?filter=${encodeURIComponent(filter)}`
  },
}

async function load({ port, kind, token, users, requests }: Load): Promise<Loaded> {
  // The requests are created before the clock starts.
  const paths = Array.from({ length: 1_000 }, (_, at) => PATHS[kind]((at * 7_919_333) % users))
  const end = ` HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`
  return await sendAll(port, requests, (at) => `GET ${paths[at % paths.length]}${end}`)
}

process.on('message', (message) => {
  load(message as Load).then((loaded) => process.send?.(loaded))
})
