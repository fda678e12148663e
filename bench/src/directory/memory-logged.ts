import { createDirectory } from '../../../apps/directory/src/app.ts'
import { personId, personOf } from '../../../apps/directory/src/commands/seed/people.ts'
import { createProvisioningLog } from '../../../apps/directory/src/features/log/provisioning-log.ts'
import type { Store } from '../../../apps/directory/src/kernel/store/store.ts'
import { printBudget } from '../budget.ts'
import { amount } from '../short.ts'
import { heapInUse, megabytes, resident } from './heap-in-use.ts'
import { SEED, type Seeded } from './seeded.ts'

const REQUESTS = amount(100_000, 200)
const EVERY = amount(20_000, 40)
/** The most requests waiting: the log stores all of them, and drops none. */
const FLUSHED = amount(2_000, 20)
/** Fewer than the requests, so the log also deletes rows. */
const KEPT = 50_000
/**
 * 80,000 requests may add a tenth of about 25 MB: 33 bytes per request. Meanwhile the heap shrinks once by 5 MB, so
 * growth is found from about 100 bytes per request.
 */
const AT_MOST = 1.1

/** A run's settings. */
export interface LoggedMemory extends Pick<Seeded, 'token' | 'users'> {
  readonly what: string
  readonly store: Store
}

/**
 * Prints the process's memory while the provisioning log stores each of 100,000 requests. Half of them are rejected, so
 * their bodies are stored too.
 */
export async function memoryLogged({ what, store, token, users }: LoggedMemory): Promise<void> {
  const provisioning = createProvisioningLog({ store, now: Date.now, days: 30, rows: KEPT })
  const directory = createDirectory({ store, provisioning })
  const statuses = new Map<number, number>()
  const heaps = new Map<number, number>()
  console.log(`\nMemory over ${REQUESTS} requests with the provisioning log on, ${what}\n`)
  console.log(
    '| requests | stored by the log | resident | heap in use |\n| --- | --- | --- | --- |',
  )
  for (let number = 1; number <= REQUESTS; number += 1) {
    const response = await directory.fetch(requestOf(number, users, token))
    await response.text()
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
    if (number % FLUSHED === 0) await provisioning.flush()
    if (number % EVERY === 0) {
      const heap = await heapInUse()
      heaps.set(number, heap)
      const { stored } = provisioning.counts()
      console.log(`| ${number} | ${stored} | ${resident()} | ${megabytes(heap, 2)} |`)
    }
  }
  await provisioning.close()
  const counts = [...statuses].map(([status, count]) => `${count} with ${status}`)
  console.log(`\nThe responses: ${counts.join(', ')}.`)
  const ratio = (heaps.get(REQUESTS) ?? Number.NaN) / (heaps.get(EVERY) ?? Number.NaN)
  const of = `Memory over ${REQUESTS} requests`
  const against = `the heap in use after ${EVERY} requests`
  printBudget({ of, against, atMost: AT_MOST }, [ratio])
}

/** Returns in turn: a read, a match, a read of a missing user, and a create whose userName is taken. */
function requestOf(number: number, users: number, token: string): Request {
  const at = (number * 7_919) % users
  const { userName } = personOf(at, SEED).resource
  const requests = [
    { path: `/Users/${personId(at, SEED)}` },
    { path: `/Users?filter=${encodeURIComponent(`userName eq "${userName}"`)}` },
    { path: `/Users/unknown-${number}` },
    { path: '/Users', body: JSON.stringify({ schemas: [USER], userName, title: `t${number}` }) },
  ]
  const { path, body = null } = requests[number % requests.length] ?? { path: '/Users' }
  return new Request(`http://localhost/scim/v2${path}`, {
    method: body === null ? 'GET' : 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/scim+json' },
    body,
  })
}

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
