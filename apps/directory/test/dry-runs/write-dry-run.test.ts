import { expect, it } from 'vitest'
import type { DryRun } from '../../src/dry-runs/dry-run.ts'
import { writeDryRun } from '../../src/dry-runs/write-dry-run.ts'

const EMPTY: DryRun = {
  tenant: 'acme',
  source: 'a test',
  profile: 'okta',
  requests: 1,
  actions: [],
  different: [],
  missingSchemas: [],
  connection: 'active',
  hold: null,
}
const linesOf = (result: Partial<DryRun>) => writeDryRun({ ...EMPTY, ...result }).split('\n')
const user = { resourceType: 'User', id: '1', name: 'ada', externalId: null }

it('says that a run would not change anything', () => {
  expect(linesOf({})).toContain('The run would not change anything.')
})

it('lists 200 resources of each kind, and counts all', () => {
  const deactivate = { ...user, action: 'deactivate' } as const
  const lines = linesOf({ actions: Array(203).fill(deactivate) })
  expect(lines).toContain('deactivate         203 User')
  expect(lines.filter((line) => line === 'deactivate         User ada')).toHaveLength(200)
  expect(lines).toContain('… and 3 more; --json prints all')
})

it('names attributes, numbers of members, and the id of a resource without a name', () => {
  const group = { ...user, resourceType: 'Group', externalId: 'g' }
  const lines = linesOf({
    actions: [
      { ...group, action: 'members', added: 3, removed: 1 },
      { ...user, name: null, action: 'change', attributes: ['title', 'emails'] },
    ],
  })
  expect(lines).toContain('change             User 1: title, emails')
  expect(lines).toContain('members            Group ada (externalId g): 3 added, 1 removed')
})

it('names missing schemas, the waiting connection, and a protected group', () => {
  const hold = {
    reason: 'group',
    step: 7,
    users: { count: 0, isExact: true },
    groupId: 'g1',
  } as const
  const lines = linesOf({ missingSchemas: ['urn:a'], connection: 'held', hold })
  expect(lines).toEqual(
    expect.arrayContaining([
      'The tenant does not have the schema urn:a, whose attributes are ignored.',
      'Changes of this tenant wait: its connection is held.',
      "The tenant's rule would hold the changes from request 7: the protected group g1 would become empty.",
    ]),
  )
})

it('cuts a long reason', () => {
  const reason = 'x'.repeat(400)
  const different = [{ step: 3, name: 'a step', request: 'GET /Users', reason }]
  expect(linesOf({ different })).toContain(`  3. a step: GET /Users: ${'x'.repeat(300)}…`)
})
