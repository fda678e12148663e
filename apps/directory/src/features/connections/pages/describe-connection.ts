import { type Count, count, countOf, isOne, nounOf } from '../../../kernel/counts.ts'
import { USER_TYPE } from '../../../kernel/resources/user-type.ts'
import type { ConsoleApi } from '../../../shell/console/context.ts'

/** A tenant's waiting changes, in their API form. */
export type Connection = Pick<
  Extract<Awaited<ReturnType<ConsoleApi['getConnection']>>, { readonly status: 200 }>['body'],
  'state' | 'hold' | 'waiting'
>

/** Says in one sentence whether changes wait, the damage first. `resources` counts the tenant's current resources. */
export function describeConnection(
  { state, hold, waiting }: Connection,
  resources?: Readonly<Record<string, Count>>,
): string {
  const { changes, users: lost, deleted } = waiting
  const users = resources?.[USER_TYPE.name]
  const waits = `${nounOf(changes, 'change')} ${isOne(changes) ? 'waits' : 'wait'}`
  const isKnown = users?.isExact === true && deleted.isExact
  const all = isKnown ? ` of ${count(users.count + deleted.count)}` : ''
  const lose = `${countOf(lost)}${all} users would lose access`
  switch (state) {
    case 'active':
      return 'Applications see the changes of this tenant.'
    case 'held':
      return hold?.reason === 'group'
        ? `Held: the protected group ${hold.groupName ?? hold.groupId} would lose its last active user. ${waits}.`
        : `Held: ${lose}. ${waits}.`
    case 'paused':
      return `Paused by an administrator: ${waits}, and ${lose}.`
    case 'review':
      return `In review: ${waits}, and ${lose}.`
  }
}
