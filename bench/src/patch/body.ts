import { PATCH_OP_SCHEMA } from '@plumbline/scim'
import { scimPatch } from 'scim-patch'

/** A PATCH request's body, whose operations have paths. */
export interface Body {
  readonly schemas: readonly string[]
  readonly Operations: readonly {
    readonly op: 'add' | 'remove' | 'replace'
    readonly path: string
    readonly value?: unknown
  }[]
}

export function patchOf(operations: Body['Operations']): Body {
  return { schemas: [PATCH_OP_SCHEMA], Operations: operations }
}

/** The resource scim-patch patches: a copy, unless `mutates` is set. */
export function patchedByPeer(
  resource: Record<string, unknown>,
  { Operations }: Body,
  { mutates = false } = {},
): unknown {
  return scimPatch(resource as never, Operations as never, { mutateDocument: mutates })
}
