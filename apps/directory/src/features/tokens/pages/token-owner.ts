import type { ConsoleApi, ConsoleContext } from '../../../shell/console/context.ts'
import { expectStatus, notFound } from '../../../shell/console/faults.ts'
import { findTenant } from '../../../shell/console/find-tenant.ts'
import type { PageOptions } from '../../../shell/console/page-options.ts'
import { routes } from '../../../shell/console/routes.ts'

/** A stored token, without its secret. */
export type StoredToken = Extract<
  Awaited<ReturnType<ConsoleApi['listTokens']>>,
  { readonly status: 200 }
>['body']['tokens'][number]

/** The pages for a tenant's tokens or the administrators'. */
export interface TokenOwner {
  readonly title: string
  /** Null for the administrators. */
  readonly tenant: NonNullable<PageOptions['tenant']> | null
  readonly list: string
  readonly create: string
  readonly token: (tokenId: string) => string
  readonly rotate: (tokenId: string) => string
  readonly revoke: (tokenId: string) => string
}

/** The administrators' tokens. */
export const ADMINISTRATORS: TokenOwner = {
  title: 'Administrators',
  tenant: null,
  list: routes.administrators.href(),
  create: routes.createAdministrator.href(),
  token: (tokenId) => routes.administrator.href({ tokenId }),
  rotate: (tokenId) => routes.rotateAdministrator.href({ tokenId }),
  revoke: (tokenId) => routes.revokeAdministrator.href({ tokenId }),
}

/** Returns the pages for the tenant's tokens. */
export async function tokenOwnerOf(
  context: ConsoleContext<{ readonly tenantId: string }>,
): Promise<TokenOwner> {
  const { tenantId } = context.params
  return {
    title: 'Tokens',
    tenant: await findTenant(context),
    list: routes.tokens.href({ tenantId }),
    create: routes.createToken.href({ tenantId }),
    token: (tokenId) => routes.token.href({ tenantId, tokenId }),
    rotate: (tokenId) => routes.rotateToken.href({ tenantId, tokenId }),
    revoke: (tokenId) => routes.revokeToken.href({ tenantId, tokenId }),
  }
}

/** Lists an owner's tokens, the oldest first. */
export async function listTokens(
  { api }: Pick<ConsoleContext, 'api'>,
  { tenant }: TokenOwner,
): Promise<readonly StoredToken[]> {
  const query = tenant === null ? {} : { tenantId: tenant.id }
  const { tokens } = expectStatus(await api.listTokens({ query }), 200).body
  // Without a tenant, the API also lists tokens in the tenant `default`.
  return tokens.filter(({ tenantId }) => tenantId === (tenant?.id ?? null))
}

/** Finds an owner's token. Throws the page 404 for another owner's token. */
export async function findToken(
  context: Pick<ConsoleContext, 'api'>,
  owner: TokenOwner,
  tokenId: string,
): Promise<StoredToken> {
  const found = (await listTokens(context, owner)).find(({ id }) => id === tokenId)
  if (found === undefined) throw notFound('The token')
  return found
}
