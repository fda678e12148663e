import { DatabaseSync } from 'node:sqlite'
import { GROUP_DEFINITION, USER_DEFINITION } from '@plumbline/scim/discovery'
import { createScimEndpoint, defineResourceType } from '@plumbline/scim/endpoint'
import { type Execute, sqlStore } from '@plumbline/scim/sql'
import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../src/index.ts'
import { examineAll } from '../prove.ts'
import { type Fetch, TOKEN } from '../reference.ts'
import { createTransactions } from '../sqlite.ts'

/** The map of docs/pages/scim/existing-tables.md, with a column for each attribute. */
function createGuide(profile: 'entra' | 'okta'): Fetch {
  const database = new DatabaseSync(':memory:')
  database.exec(`
    create table users (id integer primary key autoincrement, email text not null collate nocase unique,
      work_email text, first_name text, last_name text, is_enabled boolean not null default true,
      directory_id text, created_at text, updated_at text);
    create table teams (id integer primary key autoincrement, name text not null);
    create table team_users (team_id integer not null, user_id integer not null references users (id),
      primary key (team_id, user_id));
  `)
  const execute: Execute<object> = (sql, values) =>
    database.prepare(sql).all(...(values as never[]))
  const common = { execute, dialect: 'sqlite', id: { column: 'id', key: 'integer' } } as const
  const users = sqlStore<object>({
    ...common,
    table: 'users',
    definitions: { [USER_DEFINITION.id]: USER_DEFINITION },
    attributes: {
      userName: 'email',
      'emails[work].value': 'work_email',
      'name.givenName': 'first_name',
      'name.familyName': 'last_name',
      active: 'is_enabled',
      externalId: 'directory_id',
      'meta.created': 'created_at',
      'meta.lastModified': 'updated_at',
    },
  })
  const value = { column: 'user_id', key: 'integer' } as const
  const target = { table: 'users', id: 'id' }
  const members = { table: 'team_users', on: { team_id: 'id' }, columns: { value }, target }
  const groups = sqlStore<object>({
    ...common,
    table: 'teams',
    definitions: { [GROUP_DEFINITION.id]: GROUP_DEFINITION },
    attributes: { displayName: 'name', members },
  })
  const { fetch } = createScimEndpoint<object>({
    basePath: '/scim/v2',
    resourceTypes: [
      defineResourceType({ name: 'User', endpoint: '/Users', store: users }),
      defineResourceType({ name: 'Group', endpoint: '/Groups', store: groups }),
    ],
    authenticate: async ({ headers }) =>
      headers.get('Authorization') === `Bearer ${TOKEN}` ? {} : null,
    transaction: createTransactions(database),
    profile,
  })
  return fetch
}

const idsOf = (outcomes: readonly Outcome[], wanted: Outcome['status']): readonly string[] =>
  outcomes.flatMap(({ id, status }) => (status === wanted ? [id] : []))

describe.each(['entra', 'okta'] as const)(
  'over existing tables with few columns, and the profile %s',
  (profile) => {
    const examined = examineAll(createGuide(profile), profile, { hostile: false })

    it('every check that runs passes, and at most 40 do not apply', async () => {
      const { outcomes } = await examined
      const skipped = idsOf(outcomes, 'skipped')
      expect(outcomes.length - skipped.length).toBe(idsOf(outcomes, 'passed').length)
      expect(skipped.length, skipped.join('\n')).toBeLessThanOrEqual(40)
    })

    it('PUT, deactivation and identity provider requests are examined', async () => {
      const { outcomes } = await examined
      const skipped = idsOf(outcomes, 'skipped').filter((id) =>
        /^(replace|entra|okta)\.|active|disable/.test(id),
      )
      // The tables have neither an extension nor a value that never changes.
      expect(skipped).toEqual([
        'replace.extension',
        'replace.immutable',
        'replace.immutable-error',
        'replace.immutable-same',
      ])
    })
  },
)
