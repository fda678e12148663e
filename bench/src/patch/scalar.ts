import { unwrap } from '@plumbline/result'
import { PATCH_OP_SCHEMA } from '@plumbline/scim'
import { ENTERPRISE_USER_DEFINITION, USER_DEFINITION } from '@plumbline/scim/discovery'
import { applyPatch, parsePatch } from '@plumbline/scim/patch'
import { patchBodyValidation } from 'scim-patch'
import SCIMMY from 'scimmy'
import { compare } from '../compare.ts'
import { user } from '../users.ts'
import { type Body, patchedByPeer, patchOf } from './body.ts'

const definitions = {
  [USER_DEFINITION.id]: USER_DEFINITION,
  [ENTERPRISE_USER_DEFINITION.id]: ENTERPRISE_USER_DEFINITION,
}
const body = patchOf([{ op: 'replace', path: 'active', value: false }])
const operations = unwrap(parsePatch(body))

type Resource = Readonly<Record<string, unknown>>

/** PATCHes one attribute: in a resource left unchanged, and in one a peer may change. */
export async function compareScalar(): Promise<void> {
  await compareUnchanged(user(1))
  await compareMutating(user(1), user(1))
}

async function compareUnchanged(resource: Resource): Promise<void> {
  const typed = new SCIMMY.Schemas.User(structuredClone(resource) as never)
  await compare(
    'PATCH one scalar of an enterprise user, the resource unchanged',
    [
      { name: BOTH, run: () => patched(resource), answer: isActive },
      { name: '@plumbline/scim, applyPatch', run: () => applied(resource), answer: isActive },
      {
        name: 'structuredClone of the resource',
        run: () => structuredClone(resource),
        answer: () => false,
      },
      { name: 'scim-patch', run: () => patchedByPeer(resource, body), answer: isActive },
      {
        name: 'scimmy',
        run: () => new SCIMMY.Messages.PatchOp(body as never).apply(typed),
        answer: isActive,
      },
    ],
    { budgets: [{ against: 'structuredClone of the resource', atMost: 0.2 }] },
  )
}

/** The peer assigns the same value to the same resource in each run. */
async function compareMutating(resource: Resource, changed: Resource): Promise<void> {
  await compare(
    'PATCH one scalar of an enterprise user, next to a peer that changes the resource',
    [
      { name: BOTH, run: () => patched(resource) },
      { name: '@plumbline/scim, applyPatch', run: () => applied(resource) },
      {
        name: MUTATING,
        run: () => {
          patchBodyValidation(body as never)
          return patchedByPeer(changed, body, { mutates: true })
        },
      },
      {
        name: 'scim-patch, scimPatch that changes the resource',
        run: () => patchedByPeer(changed, body, { mutates: true }),
      },
      { name: 'the steps that any correct PATCH takes', run: () => least(resource, body) },
      {
        name: 'only a copy of the top level with the new value',
        run: () => ({ ...resource, active: false }),
      },
    ],
    { budgets: [{ against: MUTATING, atMost: 1.2, noted: UNCHECKED }] },
  )
}

function patched(resource: Resource): Resource {
  return unwrap(applyPatch(resource, unwrap(parsePatch(body)), { definitions }))
}

function applied(resource: Resource): Resource {
  return unwrap(applyPatch(resource, operations, { definitions }))
}

/**
 * Hand-written code for this body, without messages, other types, lists or path extensions. It covers the body's names,
 * schema and operation name, a path in any letter case, the attribute's type and mutability, the resource's names as
 * the definitions spell them, and the copy.
 */
function least(resource: Resource, { schemas, ...others }: Body): Resource {
  for (const name in others) if (!bodyNames.has(name)) throw new TypeError(name)
  if (!schemas.includes(PATCH_OP_SCHEMA)) throw new TypeError('schemas')
  requireSpelled(resource)
  let patched: Record<string, unknown> = resource
  for (const operation of others.Operations) {
    for (const name in operation) if (!operationNames.has(name)) throw new TypeError(name)
    const { op, path, value } = operation
    if (!operationKinds.has(op) || !NAME.test(path)) throw new TypeError(op)
    const attribute = attributes.get(path) ?? attributes.get(path.toLowerCase())
    if (attribute?.mutability !== 'readWrite' || attribute.type !== typeof value) {
      throw new TypeError(path)
    }
    if (Object.hasOwn(patched, attribute.name) && patched[attribute.name] === value) continue
    if (patched === resource) patched = { ...resource }
    patched[attribute.name] = value
  }
  return patched
}

function requireSpelled(resource: Resource): void {
  for (const name in resource) if (!resourceNames.has(name)) throw new TypeError(name)
  if (!Object.hasOwn(resource, ENTERPRISE_USER_DEFINITION.id)) return
  const extension = resource[ENTERPRISE_USER_DEFINITION.id] as Resource
  for (const name in extension) if (!extensionNames.has(name)) throw new TypeError(name)
}

function isActive({ active }: Resource): unknown {
  return active
}

const BOTH = '@plumbline/scim, parsePatch and applyPatch'
const MUTATING = 'scim-patch, patchBodyValidation and scimPatch that changes the resource'
const UNCHECKED = 'scim-patch checks neither types nor mutability in that mode'
const NAME = /^[a-z$][\w$-]*$/i
const bodyNames = new Set(['schemas', 'Operations'])
const operationNames = new Set(['op', 'path', 'value'])
const operationKinds: ReadonlySet<string> = new Set(['add', 'replace', 'remove'])
const attributes = new Map(USER_DEFINITION.attributes.map((one) => [one.name.toLowerCase(), one]))
const resourceNames = new Set([
  'schemas',
  'id',
  'externalId',
  'meta',
  ENTERPRISE_USER_DEFINITION.id,
  ...USER_DEFINITION.attributes.map(({ name }) => name),
])
const extensionNames = new Set(ENTERPRISE_USER_DEFINITION.attributes.map(({ name }) => name))
