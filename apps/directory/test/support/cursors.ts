import type { Client } from './harness.ts'

/** Returns a change's number, which follows the epoch in its cursor. */
export function numberIn(cursor: unknown): number {
  return Number(String(cursor).split('.').at(-1))
}

/** Returns the epoch of a tenant's feed. */
export async function epochOf({
  send,
  tenantId,
}: Pick<Client, 'send' | 'tenantId'>): Promise<string> {
  const { body } = await send('GET', `/api/tenants/${tenantId}/changes?after=newest`)
  const [epoch = ''] = String(body.nextCursor).split('.')
  return epoch
}

/** Returns the cursor of a tenant's change with this number. */
export async function cursorAt(
  client: Pick<Client, 'send' | 'tenantId'>,
  position: number,
): Promise<string> {
  return `${await epochOf(client)}.${position}`
}
