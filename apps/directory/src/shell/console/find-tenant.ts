import type { ConsoleContext } from './context.ts'
import { expectStatus, notFound } from './faults.ts'

/** Finds a page's tenant. Throws the page 404 if it does not exist. */
export async function findTenant({
  api,
  params: { tenantId },
}: Pick<ConsoleContext<{ readonly tenantId: string }>, 'api' | 'params'>) {
  const answer = await api.getTenant({ params: { tenantId } })
  // A malformed id does not exist either.
  if (answer.status === 404 || answer.status === 422) throw notFound(`Tenant ${tenantId}`)
  return expectStatus(answer, 200).body
}

/**
 * Finds the tenant while a page's other parts are read. A missing tenant results in the page 404, whatever else fails.
 */
export async function findTenantBefore(
  context: Parameters<typeof findTenant>[0],
  parts: Promise<unknown>,
) {
  // They fail as well if the tenant does not exist.
  parts.catch(() => undefined)
  return await findTenant(context)
}
