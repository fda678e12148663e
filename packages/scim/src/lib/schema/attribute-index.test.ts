import { unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { parsePath } from '../path/parse-path.ts'
import { fold } from '../values/fold.ts'
import { attributeIndex, resolvePath } from './attribute-index.ts'
import { ENTERPRISE_USER_DEFINITION, GROUP_DEFINITION, USER_DEFINITION } from './core-schemas.ts'

const USER = USER_DEFINITION.id
const ENTERPRISE = ENTERPRISE_USER_DEFINITION.id
const definitions = {
  [USER]: USER_DEFINITION,
  [ENTERPRISE]: ENTERPRISE_USER_DEFINITION,
}
const index = attributeIndex(definitions)

/** The node that a path names: the schema, then the names of the attribute, or null. */
function resolved(text: string): string | null {
  const node = resolvePath(index, unwrap(parsePath(text)))
  if (node === null) return null
  if (node.kind === 'schema') return node.id
  const names = node.parent === null ? node.name : `${node.parent.name}.${node.name}`
  return `${node.schema.id} ${names}`
}

describe('paths name attributes (RFC 7644 §3.10)', () => {
  it.each([
    ['userName', `${USER} userName`],
    ['USERNAME', `${USER} userName`],
    ['name.givenName', `${USER} name.givenName`],
    ['NAME.GIVENNAME', `${USER} name.givenName`],
    ['groups.$ref', `${USER} groups.$ref`],
    ['groups.$REF', `${USER} groups.$ref`],
    [`${USER}:userName`, `${USER} userName`],
    [`${USER.toUpperCase()}:USERNAME`, `${USER} userName`],
    [`${USER}:name.familyName`, `${USER} name.familyName`],
    ['department', `${ENTERPRISE} department`],
    [`${ENTERPRISE}:manager.displayName`, `${ENTERPRISE} manager.displayName`],
    ['id', `${USER} id`],
    ['schemas', `${USER} schemas`],
    ['externalId', `${USER} externalId`],
    ['meta.lastModified', `${USER} meta.lastModified`],
    [`${USER}:meta.version`, `${USER} meta.version`],
    [USER, USER],
    [ENTERPRISE.toUpperCase(), ENTERPRISE],
    // Deviation: Entra ID writes a dot between the URN and the name.
    [`${ENTERPRISE}.manager`, `${ENTERPRISE} manager`],
  ])('the path %s names %s', (text, expected) => {
    expect(resolved(text)).toBe(expected)
  })

  it.each([
    'shoeSize',
    'name.shoeSize',
    'userName.value',
    'value',
    'givenName',
    `${USER}:department`,
    `${ENTERPRISE}:userName`,
    `${ENTERPRISE}:id`,
    `${ENTERPRISE}:meta.version`,
    `${ENTERPRISE}.shoeSize`,
    'urn:x:2.0:User:userName',
    'urn:ietf:params:scim:schemas:core',
    'constructor',
    'toString',
    'hasOwnProperty',
    'length',
    'name.constructor',
    'constructor.name',
    'emails.length',
    `${USER}:constructor`,
    `${ENTERPRISE}.constructor`,
  ])('%s is not the path to an attribute or a schema', (text) => {
    expect(resolved(text)).toBeNull()
  })
})

describe('the definition index', () => {
  it('the index has a value for every characteristic a definition omits (RFC 7643 §2.2)', () => {
    const thing = { id: 'urn:x', name: 'X', attributes: [{ name: 'a', type: 'string' as const }] }
    expect(attributeIndex({ [thing.id]: thing }).core.attributes.get('a')).toMatchObject({
      multiValued: false,
      required: false,
      caseExact: false,
      mutability: 'readWrite',
      returned: 'default',
      parent: null,
    })
  })

  it('only the core schema gets the common attributes (RFC 7643 §3.1)', () => {
    const common = ['schemas', 'id', 'externalid', 'meta']
    expect([...index.core.attributes.keys()].filter((name) => common.includes(name))).toEqual(
      common,
    )
    const extension = index.schemas.get(fold(ENTERPRISE))
    expect(common.filter((name) => extension?.attributes.has(name))).toEqual([])
  })

  it('a core schema may define a common attribute itself', () => {
    const externalId = { name: 'externalId', type: 'string' as const, required: true }
    const thing = { id: 'urn:x', name: 'X', attributes: [externalId] }
    const own = attributeIndex({ [thing.id]: thing }).attributes.get('externalid')
    expect(own).toMatchObject({ required: true, caseExact: false })
  })

  it('a name in two schemas resolves to the earlier schema', () => {
    const extension = {
      id: 'urn:example:2.0:Other',
      name: 'Other',
      attributes: [{ name: 'Title', type: 'integer' as const }],
    }
    const both = attributeIndex({ [USER]: USER_DEFINITION, [extension.id]: extension })
    const node = (text: string) => resolvePath(both, unwrap(parsePath(text)))
    expect(node('title')).toMatchObject({ type: 'string', schema: { id: USER } })
    expect(node(`${extension.id}:title`)).toMatchObject({ type: 'integer', name: 'Title' })
  })

  it("the index names each schema's resource member: null for the first, the URN for others", () => {
    expect([...index.schemas.values()].map(({ container }) => container)).toEqual([
      null,
      ENTERPRISE,
    ])
  })

  it('the index is created once for the same value, and again for an equal one', () => {
    expect(attributeIndex(definitions)).toBe(index)
    expect(attributeIndex({ ...definitions })).not.toBe(index)
  })

  it('the first schema is used as the core schema', () => {
    const group = attributeIndex({ [GROUP_DEFINITION.id]: GROUP_DEFINITION })
    expect(group.core.id).toBe(GROUP_DEFINITION.id)
    expect(group.attributes.has('username')).toBe(false)
  })

  it('definitions without a schema throw, which is a program error', () => {
    expect(() => attributeIndex({})).toThrow(TypeError)
  })
})
