import { ENTERPRISE_USER_SCHEMA } from '@plumbline/scim'
import type { WireResource } from '@plumbline/scim/endpoint'
import type { ResourceType } from '../../kernel/resources/resource-type.ts'
import { findMatches } from '../../kernel/store/find-matches.ts'
import type { Store } from '../../kernel/store/store.ts'
import type { Plan } from './plan.ts'

/** Replaces the manager's id in a user's attributes with the new one. */
export function withManager(content: WireResource, { ids }: Plan): WireResource {
  const enterprise: WireResource = Object(content[ENTERPRISE_USER_SCHEMA])
  const { $ref: _, ...manager }: WireResource = Object(enterprise.manager)
  const value = ids.get(`User/${manager.value}`)
  if (value === undefined || value === manager.value) return content
  return { ...content, [ENTERPRISE_USER_SCHEMA]: { ...enterprise, manager: { ...manager, value } } }
}

/** A member, as sent for a group's row. */
export interface SentMember {
  readonly value: string
  readonly display?: string
}

/** A group's members with their new ids, and the ids of missing ones. */
export interface ResolvedMembers {
  readonly members: readonly SentMember[]
  readonly missing: readonly string[]
}

/** The import options needed for resolving members. */
export interface ResolveOptions {
  readonly store: Store
  readonly tenantId: string
  readonly types: readonly ResourceType[]
}

/** Finds a group's members among the source's resources and the tenant's others. */
export async function resolveMembers(
  { members }: WireResource,
  { ids, claims }: Plan,
  { store, tenantId, types }: ResolveOptions,
): Promise<ResolvedMembers> {
  const sent = (Array.isArray(members) ? members : []).map((member) => {
    const { value, type, display }: WireResource = Object(member)
    const names = types.map(({ name }) => name)
    const ordered = [...names.filter((name) => name === type), ...names]
    const target = ordered.map((name) => ids.get(`${name}/${value}`)).find((id) => id !== undefined)
    return {
      value: target ?? String(value),
      ...(typeof display === 'string' && { display }),
    }
  })
  const others = sent.map(({ value }) => value).filter((id) => !claims.has(id))
  const existing = new Set<string>()
  if (others.length > 0) {
    await store.read(
      async (db) => {
        for (const { table, naming } of types) {
          const keys = { ids: others, externalIds: [], names: [] }
          const where = { table, nameColumn: naming.column }
          for (const { id } of await findMatches(db, tenantId, where, keys)) existing.add(id)
        }
      },
      { tenantId },
    )
  }
  const exists = (id: string) => claims.has(id) || existing.has(id)
  return {
    members: sent.filter(({ value }) => exists(value)),
    missing: others.filter((id) => !existing.has(id)),
  }
}
