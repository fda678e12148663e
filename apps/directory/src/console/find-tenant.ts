import type { ConsoleContext } from './context.ts'
import { expectStatus, notFound } from './faults.ts'

/** The tenant of a page. Throws the page 404 if it does not exist. */
export async function findTenant({
  api,
  params: { tenantId },
}: Pick<ConsoleContext<{ readonly tenantId: string }>, 'api' | 'params'>) {
  const { tenants } = expectStatus(await api.listTenants(), 200).body
  const tenant = tenants.find(({ id }) => id === tenantId)
  if (tenant === undefined) throw notFound(`Tenant ${tenantId}`)
  return tenant
}
