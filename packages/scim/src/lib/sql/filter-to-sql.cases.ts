import type { SqlColumnMap } from '../predicate/columns.ts'
import type { SqlValue } from './fragment.ts'

type Row = readonly [filter: string, sql: string, ...values: SqlValue[]]

export const columns: SqlColumnMap = {
  id: { column: 'id', key: 'integer' },
  externalId: 'external_id',
  userName: { column: 'email', caseExact: false },
  'name.familyName': { column: 'family_key', folded: true },
  active: { column: 'is_enabled', type: 'boolean' },
  'meta.created': { column: 'created_at', type: 'dateTime', format: 'timestamp' },
  'meta.lastModified': { column: 'modified', type: 'dateTime', format: 'seconds' },
  title: 'ti"tl`e',
  'phoneNumbers[work].value': 'phone',
  emails: {
    table: 'user_emails',
    on: { user_id: 'id', tenant_id: 'tenant_id' },
    columns: { value: { column: 'address', caseExact: false }, type: 'kind' },
  },
  groups: { table: 'team_members', on: { user_id: 'id' }, columns: { value: 'team_id' } },
}

const EMAILS =
  'select 1 from "user_emails" as "element" where "element"."user_id" = "u"."id" ' +
  'and "element"."tenant_id" = "u"."tenant_id" and '
const GROUPS = 'select 1 from "team_members" as "element" where "element"."user_id" = "u"."id" and '

/** Filters, and their conditions and values in SQLite over the table `u`. */
export const sqlite: readonly Row[] = [
  ['externalId eq "a"', '"u"."external_id" = ? collate binary', 'a'],
  ['externalId gt "a"', '"u"."external_id" > ? collate binary', 'a'],
  ['externalId sw "*a"', '"u"."external_id" glob ?', '[*]a*'],
  ['externalId co "%_"', '"u"."external_id" glob ?', '*%_*'],
  ['not (externalId ew "a")', '("u"."external_id" is null or not "u"."external_id" glob ?)', '*a'],
  ['title pr', '"u"."ti""tl`e" <> ? collate binary', ''],
  ['id eq "42"', '"u"."id" = ?', 42n],
  ['id eq "1\' or 1=1"', '("u"."id" is null and "u"."id" is not null)'],
  ['userName eq "BJensen"', 'lower("u"."email") = ?', 'bjensen'],
  ['userName ne "BJensen"', '("u"."email" is null or not lower("u"."email") = ?)', 'bjensen'],
  ['userName co "1%!"', `lower("u"."email") like ? escape '!'`, '%1!%!!%'],
  ['name.familyName eq "ÉA"', '"u"."family_key" = ? collate binary', 'éa'],
  ['active eq true', '"u"."is_enabled" = ?', 1],
  [
    'meta.created gt "2026-01-31T12:00:00Z"',
    `strftime('%Y-%m-%d %H:%M:%f', "u"."created_at") > ?`,
    '2026-01-31 12:00:00.000',
  ],
  ['meta.lastModified ge "1970-01-01T00:00:01.5Z"', '"u"."modified" > ?', 1],
  ['meta.lastModified lt "1970-01-01T00:00:01Z"', '"u"."modified" < ?', 1],
  ['phoneNumbers.value eq "1"', '"u"."phone" = ? collate binary', '1'],
  ['phoneNumbers.value sw "1"', '"u"."phone" glob ?', '1*'],
  ['phoneNumbers[type eq "WORK" and value eq "1"]', '"u"."phone" = ? collate binary', '1'],
  ['phoneNumbers pr', '"u"."phone" is not null'],
  [
    'emails[type eq "work" and value sw "a"]',
    `exists (${EMAILS}("element"."kind" = ? collate binary and lower("element"."address") like ? escape '!'))`,
    'work',
    'a%',
  ],
  [
    'not (emails[type eq "work"])',
    `not exists (${EMAILS}"element"."kind" = ? collate binary)`,
    'work',
  ],
  ['emails eq null', `not exists (${EMAILS}1 = 1)`],
  ['groups eq "g1"', `exists (${GROUPS}"element"."team_id" = ? collate binary)`, 'g1'],
  [
    'groups.value eq "g1" or groups.value eq "g2"',
    `exists (${GROUPS}("element"."team_id" = ? collate binary or "element"."team_id" = ? collate binary))`,
    'g1',
    'g2',
  ],
  [
    'groups.value ne "g1"',
    `(exists (${GROUPS}("element"."team_id" is null or "element"."team_id" <> ? collate binary)) or not exists (${GROUPS}1 = 1))`,
    'g1',
  ],
]

/** Filters, and their conditions in PostgreSQL over columns without a table, after two other values. */
export const postgres: readonly Row[] = [
  [
    'externalId eq "a" or title ne "b"',
    '("external_id" = $3 or ("ti""tl`e" is null or "ti""tl`e" <> $4))',
    'a',
    'b',
  ],
  ['externalId gt "a"', '"external_id" collate "C" > $3', 'a'],
  ['externalId co "1%!"', `"external_id" like $3 escape '!'`, '%1!%!!%'],
  ['userName eq "BJensen"', 'lower("email" collate "C") = $3', 'bjensen'],
  ['active eq true', '"is_enabled" = $3', true],
  ['id eq "42"', '"id" = $3::bigint', '42'],
  [
    'meta.created gt "0000-01-31T12:00:00Z"',
    `date_trunc('milliseconds', "created_at") > $3::timestamptz`,
    '0001-01-31T12:00:00.000Z BC',
  ],
]

const bytes = (text: string) => `cast(convert(${text} using utf8mb4) as binary)`

/** Filters, and their conditions in MySQL over columns without a table. */
export const mysql: readonly Row[] = [
  [
    'externalId eq "a"',
    `(\`external_id\` = ? and ${bytes('`external_id`')} = ${bytes('?')})`,
    'a',
    'a',
  ],
  ['externalId gt "a"', `${bytes('`external_id`')} > ${bytes('?')}`, 'a'],
  ['externalId sw "_"', `${bytes('`external_id`')} like ${bytes('?')} escape '!'`, '!_%'],
  ['title eq null', '`ti"tl``e` is null'],
  ['active eq false', '`is_enabled` = ?', 0],
  ['id eq "42"', '`id` = ?', '42'],
]
