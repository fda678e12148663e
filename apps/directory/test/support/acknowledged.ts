import { setTimeout } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { Answer, Client } from './harness.ts'
import { patch } from './two-processes.ts'

/** Clients that write until they are stopped, and remember which writes were acknowledged. */
export interface Writers {
  /** The number of acknowledged writes. */
  readonly acknowledged: () => number
  /** The answers that were not successes. */
  readonly failed: readonly Answer[]
  /** Stops the clients, and returns the resources that must exist, and those that must not. */
  stop(): Promise<Expected>
}

/** The state after the acknowledged writes. A resource whose last write was not acknowledged may have either value. */
interface Expected {
  /** The ids of users, with all titles that they may have. */
  readonly users: ReadonlyMap<string, ReadonlySet<string>>
  readonly deleted: ReadonlySet<string>
  /** The ids of users that were added to the group. */
  readonly members: ReadonlySet<string>
}

/** Starts clients that create, change, add to a group and delete users. They stop at the latest when the test ends. */
export function startWriters(send: Client['send'], groupId: string, count: number): Writers {
  const users = new Map<string, Set<string>>()
  const [deleted, members] = [new Set<string>(), new Set<string>()]
  const failed: Answer[] = []
  let [acknowledged, lives] = [0, 0]
  let isStopped = false
  const write = async (...request: Parameters<Client['send']>): Promise<Answer | null> => {
    const answer = await send(...request)
    // Writers without a pause would use all processors, and the others would wait for them.
    await setTimeout(20)
    if (answer.status < 300) {
      acknowledged += 1
      return answer
    }
    failed.push(answer)
    return null
  }
  /** The life of one user. It ends with the first write that was not acknowledged. */
  const live = async (): Promise<void> => {
    lives += 1
    const isDeleted = lives % 3 === 0
    const created = await write('POST', '/Users', { userName: crypto.randomUUID(), title: 'one' })
    if (created === null) return
    const id = String(created.body.id)
    const titles = new Set(['one'])
    users.set(id, titles)
    if ((await write('PATCH', `/Groups/${groupId}`, adding('members', [{ value: id }]))) === null) {
      return
    }
    members.add(id)
    titles.add('two')
    if ((await write('PATCH', `/Users/${id}`, adding('title', 'two'))) === null) return
    titles.delete('one')
    if (!isDeleted) return
    // A deletion without an acknowledgment may have happened: nothing is known about the user.
    users.delete(id)
    members.delete(id)
    if ((await write('DELETE', `/Users/${id}`)) !== null) deleted.add(id)
  }
  const clients = Array.from({ length: count }, async () => {
    while (!isStopped) await live()
  })
  onTestFinished(async () => {
    isStopped = true
    await Promise.allSettled(clients)
  })
  return {
    acknowledged: () => acknowledged,
    failed,
    stop: async () => {
      isStopped = true
      await Promise.all(clients)
      return { users, deleted, members }
    },
  }
}

/** Returns the acknowledged writes that a directory does not show, as sentences. */
export async function findLost(
  send: Client['send'],
  groupId: string,
  { users, deleted, members }: Expected,
): Promise<readonly string[]> {
  const titles = new Map<string, string>()
  for (let cursor: unknown = ''; typeof cursor === 'string'; ) {
    const { body } = await send('GET', `/Users?count=1000&attributes=title&cursor=${cursor}`)
    for (const { id, title } of body.Resources ?? []) titles.set(String(id), String(title))
    cursor = body.nextCursor
  }
  const { body: group } = await send('GET', `/Groups/${groupId}`)
  const shown = new Set((group.members ?? []).map(({ value }) => String(value)))
  return [
    ...[...users].flatMap(([id, possible]) => {
      const title = titles.get(id) ?? 'missing'
      return possible.has(title) ? [] : [`user ${id} is ${title}, not ${[...possible].join()}`]
    }),
    ...[...deleted].filter((id) => titles.has(id)).map((id) => `user ${id} was deleted`),
    ...[...members].filter((id) => !shown.has(id)).map((id) => `member ${id} is missing`),
  ]
}

function adding(path: string, value: unknown) {
  return patch({ op: 'add', path, value })
}
