import { unwrap } from '@plumbline/result'
import { RawJson } from '@plumbline/scim'
import { parseFilter } from '@plumbline/scim/filter'
import { describe, expect, it } from 'vitest'
import { GROUP } from '../../../src/features/scim/group.ts'
import { JsonPieces, type ResourceView } from '../../../src/features/scim/list/list.ts'
import { createSubjects, type Noted, type Subjects } from '../../../src/features/scim/subjects.ts'
import { USER } from '../../../src/features/scim/user.ts'

/** The id and the userName in the record of a request, which had those of another resource before. */
function recordedBy(
  type: 'User' | 'Group',
  note: (subjects: Subjects, context: Noted) => unknown,
): readonly (string | null)[] {
  const subject = { resourceId: 'before', userName: 'before' }
  note(createSubjects({ User: USER, Group: GROUP }[type].loggedName), { subject })
  return [subject.resourceId, subject.userName]
}

const bodyOf = (resource: object) => new RawJson(JSON.stringify(resource))
const viewOf = (resource: object): ResourceView => ({
  body: bodyOf(resource),
  size: 1,
  version: '',
  location: '',
})

describe('the log for a write', () => {
  it.each([
    ['the id and the userName', 'User', '1', { userName: 'ada' }, ['1', 'ada']],
    ['no other id before it has one', 'User', null, { userName: 'ada' }, ['before', 'ada']],
    ['no userName that is not a string', 'User', '1', { userName: 5 }, ['1', 'before']],
    ['no userName of a group', 'Group', '1', { userName: 'ada' }, ['1', 'before']],
  ] as const)('the log for a write names %s', (_, type, id, resource, expected) => {
    const result: unknown[] = []
    const recorded = recordedBy(type, ({ noted }, context) =>
      result.push(noted(context, id, resource)),
    )
    expect(recorded).toEqual(expected)
    expect(result).toEqual([resource])
  })
})

describe('the log for a sent resource', () => {
  const quoted = { title: '"id":"x","userName":"y"', id: '1', userName: 'a"d\\a' }
  it.each<[string, 'User' | 'Group', string | null, ResourceView['body'], readonly string[]]>([
    ['the resource of its JSON', 'User', null, bodyOf({ id: '1', userName: 'ada' }), ['1', 'ada']],
    [
      'the resource of its JSON, without the names in strings',
      'User',
      null,
      bodyOf(quoted),
      ['1', 'a"d\\a'],
    ],
    ['the known id', 'User', '2', bodyOf({ id: '1', userName: 'ada' }), ['2', 'ada']],
    ['only what its JSON has', 'User', null, bodyOf({ title: 'a' }), ['before', 'before']],
    [
      'no userName of a sent group',
      'Group',
      null,
      bodyOf({ id: '1', userName: 'a' }),
      ['1', 'before'],
    ],
    ['the known id of a large group', 'Group', '2', new JsonPieces(['{"id":"1"']), ['2', 'before']],
    ['no id of pieces', 'Group', null, new JsonPieces(['{"id":"1"']), ['before', 'before']],
    ['the resource of an object', 'User', null, { id: '1', userName: 'ada' }, ['1', 'ada']],
    ['the known id of an object', 'User', '2', { id: '1', userName: 'ada' }, ['2', 'ada']],
    ['no id that is not a string', 'User', null, { id: 1, userName: 'ada' }, ['before', 'ada']],
  ])('the log for a sent resource names %s', (_, type, id, body, expected) => {
    expect(recordedBy(type, ({ noteBody }, context) => noteBody(context, id, body))).toEqual(
      expected,
    )
  })
})

describe('the log for a search', () => {
  const ada = viewOf({ id: '1', userName: 'ada' })
  const bob = viewOf({ id: '2', userName: 'bob' })
  it.each<[string, 'User' | 'Group', string | null, readonly ResourceView[], readonly string[]]>([
    ['the userName that is looked up', 'User', 'userName eq "eve"', [], ['before', 'eve']],
    ['the userName in another letter case', 'User', 'USERNAME eq "eve"', [], ['before', 'eve']],
    ['no userName of another comparison', 'User', 'userName sw "eve"', [], ['before', 'before']],
    ['no value of another attribute', 'User', 'title eq "eve"', [], ['before', 'before']],
    ['no value of a condition', 'User', 'not (userName eq "eve")', [], ['before', 'before']],
    ['no userName for groups', 'Group', 'userName eq "eve"', [], ['before', 'before']],
    ['the only resource that is found', 'User', 'title pr', [ada], ['1', 'ada']],
    ['none of several', 'User', 'title pr', [ada, bob], ['before', 'before']],
    ['none without a filter', 'User', null, [ada], ['before', 'before']],
  ])('the log for a search names %s', (_, type, text, resources, expected) => {
    const filter = text === null ? null : unwrap(parseFilter(text))
    const recorded = recordedBy(type, ({ noteList }, context) =>
      noteList(context, { filter }, resources),
    )
    expect(recorded).toEqual(expected)
  })
})
