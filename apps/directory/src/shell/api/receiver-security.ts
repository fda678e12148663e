/** The scope of operations for a tenant's receivers. An administrator may send every request. */
export const RECEIVER = 'receiver'

/** The security of operations below `/api/tenants/{tenantId}/` that a receiver may use in the receiver's tenant. */
export const RECEIVER_SECURITY = [
  { token: [RECEIVER] },
  { session: [] },
  { hostSession: [] },
] as const
