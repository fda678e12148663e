import { unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { PATCH_OP_SCHEMA } from '../constants.ts'
import { ENTERPRISE_USER_DEFINITION, USER_DEFINITION } from '../schema/core-schemas.ts'
import { user } from './apply.cases.ts'
import { applyPatch } from './apply.ts'
import { parsePatch } from './parse.ts'

const definitions = {
  [USER_DEFINITION.id]: USER_DEFINITION,
  [ENTERPRISE_USER_DEFINITION.id]: ENTERPRISE_USER_DEFINITION,
}

function patch(resource: object, operations: readonly object[]) {
  const parsed = unwrap(parsePatch({ schemas: [PATCH_OP_SCHEMA], Operations: operations }))
  return applyPatch(resource, parsed, { definitions })
}

describe('a resource is read in any letter case (RFC 7643 §2.1)', () => {
  const urn = ENTERPRISE_USER_DEFINITION.id
  const shouted = {
    Schemas: user.schemas,
    USERNAME: 'b',
    Name: { GivenName: 'Barbara' },
    EMAILS: [{ Value: 'b@x.org', Type: 'work' }],
    [urn.toUpperCase()]: { Department: 'Sales' },
    shoeSize: 9,
  }

  it("changes are written with the definition's names", () => {
    const operations = [
      { op: 'add', path: 'name.familyName', value: 'Jensen' },
      { op: 'replace', path: 'emails[type eq "work"].value', value: 'n@x.org' },
      { op: 'add', path: 'division', value: 'North' },
    ]
    expect(unwrap(patch(shouted, operations))).toStrictEqual({
      schemas: user.schemas,
      userName: 'b',
      name: { givenName: 'Barbara', familyName: 'Jensen' },
      emails: [{ value: 'n@x.org', type: 'work' }],
      [urn]: { department: 'Sales', division: 'North' },
      shoeSize: 9,
    })
  })

  it('the same resource is returned if nothing changes', () => {
    const operations = [{ op: 'add', value: { userName: 'b', 'name.givenName': 'Barbara' } }]
    expect(unwrap(patch(shouted, operations))).toBe(shouted)
  })

  it.each([[{ UserName: 'other', userName: 'b' }], [{ userName: 'b', UserName: 'other' }]])(
    "the definition's spelling is preferred: %j",
    (twice) => {
      const operations = [{ op: 'add', path: 'title', value: 'Guide' }]
      expect(unwrap(patch(twice, operations))).toStrictEqual({
        userName: 'b',
        title: 'Guide',
      })
    },
  )
})
