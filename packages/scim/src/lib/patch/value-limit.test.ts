import { unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { PATCH_OP_SCHEMA } from '../constants.ts'
import { GROUP_DEFINITION, USER_DEFINITION } from '../schema/core-schemas.ts'
import { group } from './apply.cases.ts'
import { applyPatch } from './apply.ts'
import { parsePatch } from './parse.ts'
import * as things from './parts.cases.ts'

const definitions = { [USER_DEFINITION.id]: USER_DEFINITION }
const groupDefinitions = { [GROUP_DEFINITION.id]: GROUP_DEFINITION }

describe('PATCH limits the number of values (RFC 7644 Table 9, tooMany)', () => {
  const emails = (count: number) => Array.from({ length: count }, (_, at) => ({ value: `u${at}` }))
  const apply = (resource: object, operation: object, maxValues?: number) => {
    const parsed = parsePatch({ schemas: [PATCH_OP_SCHEMA], Operations: [operation] })
    return applyPatch(resource, unwrap(parsed), { definitions, maxValues })
  }

  it.each(['add', 'replace'])('%s allows at most 5,000 values per attribute', (op) => {
    const most = apply({ userName: 'b' }, { op, path: 'emails', value: emails(5_000) })
    expect(unwrap(most).emails).toHaveLength(5_000)
    expect(apply({ userName: 'b' }, { op, path: 'emails', value: emails(5_001) })).toMatchObject({
      error: { status: 400, scimType: 'tooMany' },
    })
  })

  it('add counts the existing values, and remove works on more', () => {
    const full = { userName: 'b', emails: emails(3) }
    const added = apply(full, { op: 'add', path: 'emails', value: [{ value: 'n' }] }, 3)
    expect(added).toMatchObject({ error: { scimType: 'tooMany' } })
    const removed = apply(full, { op: 'remove', path: 'emails[value eq "u0"]' }, 1)
    expect(unwrap(removed).emails).toHaveLength(2)
  })

  it('multi-valued sub-attributes are limited, but members are not', () => {
    const options = { definitions: things.definitions, maxValues: 2 }
    const add = (path: string, value: unknown) =>
      unwrap(parsePatch({ schemas: [PATCH_OP_SCHEMA], Operations: [{ op: 'add', path, value }] }))
    const langs = applyPatch(things.thing, add('profile.langs', ['de', 'fr']), options)
    expect(langs).toMatchObject({ error: { scimType: 'tooMany' } })
    const members = applyPatch(group, add('members', emails(9)), {
      definitions: groupDefinitions,
      maxValues: 2,
    })
    expect(unwrap(members).members).toHaveLength(9)
  })
})
