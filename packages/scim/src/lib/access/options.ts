import { isFailure } from '@plumbline/result'
import {
  type Forms,
  FUNCTION,
  OBJECT,
  required,
  requireOptions,
} from '../endpoint/options/forms.ts'
import type { ResourceType } from '../endpoint/options/resource-type.ts'
import type { AttributePath } from '../path/attribute-path.ts'
import { parsePath } from '../path/parse-path.ts'
import { type AttributeNode, attributeIndex, resolveAttribute } from '../schema/attribute-index.ts'
import { type Access, type AccessChange, GROUP, type RolesOfGroup, USER } from './grants.ts'
import type { AccountId, LinkOptions, RoleId } from './link.ts'

/** The `projection` options. Each function gets the context of the transaction, which names the tenant. */
export interface ProjectionOptions<
  Context extends object,
  Account extends AccountId,
  Role extends RoleId,
> {
  /** Finds or creates a new user's account. */
  readonly link: LinkOptions<Context, Account>
  /** Returns the roles a group gives. */
  readonly roles: RolesOfGroup<Context, Role>
  /** Returns the users' stored access, by user id; absent before the first `apply`. */
  readonly read: (
    users: readonly string[],
    context: Context,
  ) =>
    | Promise<ReadonlyMap<string, Access<Account, Role>>>
    | ReadonlyMap<string, Access<Account, Role>>
  /**
   * Returns the ids of users with stored access in the context's tenant, in the order of the ids: up to 100 after an id,
   * or the first ones for null. `reconcile` finds the access of users who no longer exist here.
   */
  readonly stored: (
    after: string | null,
    context: Context,
  ) => Promise<readonly string[]> | readonly string[]
  /**
   * Stores the users' access, in the transaction of the write that changed it. A duplicate value that the database
   * rejects while a user is linked is `409 uniqueness`.
   */
  readonly apply: (
    changes: readonly AccessChange<Account, Role>[],
    context: Context,
  ) => Promise<void> | void
}

/** Checks the options. Returns the path of the attribute that links users. */
export function requireProjection<
  Context extends object,
  Account extends AccountId,
  Role extends RoleId,
>(options: ProjectionOptions<Context, Account, Role>): AttributePath {
  requireOptions<typeof options>('projection', options, FORMS)
  const { link } = options
  requireOptions<typeof link>('link', link, LINK_FORMS, 'projection: link.')
  const path = parsePath(link.attribute)
  if (!isFailure(path)) return path.data
  throw new TypeError(`${PLACE} must be the path of an attribute: ${path.error.message}`)
}

/**
 * Returns the attribute of the endpoint's users that links them. Throws a TypeError if the types cannot work with
 * `projection`: it would find no account and no role.
 */
export function requireTypes(
  types: readonly ResourceType<never>[],
  { attribute, path }: { readonly attribute: string; readonly path: AttributePath },
): AttributeNode {
  const users = types.find(({ name }) => name === USER)
  if (users === undefined) throw new TypeError(missingType(USER, types))
  const indexes = types.map(({ definitions }) => attributeIndex(definitions))
  const hasMembers = indexes.some(({ core }) => core.attributes.has('members'))
  if (hasMembers && !types.some(({ name }) => name === GROUP)) {
    throw new TypeError(missingType(GROUP, types))
  }
  const node = resolveAttribute(attributeIndex(users.definitions), path)
  const place = `${PLACE} ${JSON.stringify(attribute)}`
  if (node === null) throw new TypeError(`${place} is not an attribute of ${USER}`)
  if (node.type === 'complex') {
    const parts = [...node.subAttributes.values()].map(({ name }) => `${attribute}.${name}`)
    throw new TypeError(`${place} is complex: name a sub-attribute, such as ${parts[0]}`)
  }
  if (node.type !== 'string' && node.type !== 'reference') {
    throw new TypeError(`${place} is of the type ${node.type}, and accounts are found by strings`)
  }
  const both = [node, ...(node.parent === null ? [] : [node.parent])]
  if (both.some(({ mutability }) => mutability === 'readOnly')) {
    throw new TypeError(`${place} is read-only, so no client can send it`)
  }
  const isRead = both.every(({ returned }) => returned === 'default' || returned === 'always')
  if (!isRead) throw new TypeError(`${place} is not returned by default, so it cannot be read`)
  return node
}

function missingType(name: string, types: readonly ResourceType<never>[]): string {
  const names = types.map((type) => type.name).join(', ')
  return `projection needs a resource type with the name ${name}, and the endpoint has ${names}`
}

const PLACE = 'projection: link.attribute'

const LINK_FORMS: Forms<LinkOptions<never, never>> = {
  attribute: {
    wanted: 'the path of an attribute, such as externalId',
    isValid: (value) => typeof value === 'string',
    isRequired: true,
  },
  find: required(FUNCTION),
  mayManage: required(FUNCTION),
  create: {
    wanted: 'a function, or null to reject users without an account',
    isValid: (value) => value === null || FUNCTION.isValid(value),
    isRequired: true,
  },
}

const FORMS: Forms<ProjectionOptions<never, never, never>> = {
  link: required(OBJECT),
  roles: {
    wanted: 'a function of a group and the context',
    isValid: FUNCTION.isValid,
    isRequired: true,
  },
  read: required(FUNCTION),
  stored: required(FUNCTION),
  apply: required(FUNCTION),
}
