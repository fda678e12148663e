import { expect, it } from 'vitest'
import { defaultView } from '../../../src/features/scim/pages/type-view.ts'

it('the pages for a resource type without a view show and search the indexed strings', () => {
  const attributes = [
    { name: 'serial', type: 'string', required: true },
    { name: 'model', type: 'string' },
    { name: 'tags', type: 'string', multiValued: true },
    { name: 'slots', type: 'integer' },
  ] as const
  const definitions = {
    'urn:example:Device': { id: 'urn:example:Device', name: 'Device', attributes },
  }
  const lookups = ['id', 'serial', 'tags', 'slots']
  const view = defaultView({ lookups, definitions })
  expect(view.name).toBe('serial')
  expect(view.columns.map(({ title }) => title)).toEqual(['serial', 'Last change'])
  expect(view.columns[0]?.cell({ serial: 'A-1' }, 0)).toBe('A-1')
  expect(view.fields.map(({ label, filter }) => [label, filter('"x"')])).toEqual([
    ['id is', 'id eq "x"'],
    ['serial is', 'serial eq "x"'],
  ])
})

it('a resource type without an indexed string is listed by id', () => {
  const view = defaultView({ lookups: ['id'], definitions: {} })
  expect(view.name).toBe('id')
  expect(view.columns.map(({ attribute }) => attribute)).toEqual(['id', 'meta.lastModified'])
})
