import type { ColumnMap } from '../predicate/columns.ts'

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

/** One column of every kind. */
export const columns: ColumnMap = {
  id: 'id',
  userName: { column: 'user_name', caseExact: false },
  'name.familyName': { column: 'users.family_key', folded: true },
  active: { column: 'active', type: 'boolean' },
  age: { column: 'age', type: 'integer' },
  score: { column: 'score', type: 'decimal' },
  'meta.created': { column: 'created', type: 'dateTime' },
  'meta.lastModified': { column: 'modified', type: 'dateTime', format: 'text' },
  // Entries without a type, for attributes that RFC 7643 defines and for others.
  'roles.primary': 'primary_role',
  'emails.primary': { column: 'primary_email', caseExact: false },
  verified: 'verified',
  rank: 'rank',
  [`${ENTERPRISE}:manager`]: 'manager_id',
}

const SECOND = Date.parse('2026-01-31T12:00:00Z')

/**
 * Filters and their predicates. The tests write predicates as SQL with the values in JSON. The tests of `predicate`
 * prove which forms of a value, a number or an instant a comparison has.
 */
export const exact: readonly (readonly [filter: string, where: string, why: string])[] = [
  ['id eq "a"', 'id = "a"', 'RFC 7644 §3.4.2.2'],
  ['id eq "users.title"', 'id = "users.title"', 'a value is never a column'],
  ['id eq "a_b%c\\\\"', 'id = "a_b%c\\\\"', 'not a pattern, so no wildcards'],
  ['id ne "a"', '(id is null or id <> "a")', '§2.5: unassigned is not "a"'],
  ['id eq ""', 'id = ""', 'an empty string is a value'],
  ['id eq null', 'id is null', 'RFC 7643 §2.5'],
  ['id ne null', 'id is not null', 'RFC 7643 §2.5'],
  ['not (id eq null)', 'id is not null', 'RFC 7643 §2.5'],
  ['not (id ne null)', 'id is null', 'RFC 7643 §2.5'],
  ['id pr', 'id <> ""', 'Table 3: non-empty'],
  ['id sw "a"', 'id like "a%"', 'Table 3'],
  ['id gt "a"', 'id > "a"', 'Table 3'],
  ['id ge "a"', 'id >= "a"', 'Table 3'],
  ['id lt "a"', 'id < "a"', 'Table 3'],
  ['id le "a"', 'id <= "a"', 'Table 3'],
  ['not (id eq "a")', '(id is null or id <> "a")', 'two-valued logic'],
  ['not (id ne "a")', 'id = "a"', 'two-valued logic'],
  ['not (id gt "a")', '(id is null or id <= "a")', 'two-valued logic'],
  ['not (id le "a")', '(id is null or id > "a")', 'two-valued logic'],
  ['not (id ge "a")', '(id is null or id < "a")', 'two-valued logic'],
  ['not (id lt "a")', '(id is null or id >= "a")', 'two-valued logic'],
  ['userName eq "A"', 'user_name ilike "A"', 'not caseExact'],
  ['not (userName ne "a")', 'user_name ilike "a"', 'a double negation'],
  ['userName sw "a"', 'user_name ilike "a%"', 'not caseExact'],
  [
    'userName eq "Kim"',
    '(user_name ilike "Kim" or user_name ilike "\u212aim")',
    'U+212A folds to k',
  ],
  ['userName pr', 'user_name <> ""', 'Table 3'],
  ['name.familyName eq "ÉCOLE"', 'users.family_key = "école"', 'the value is folded'],
  ['name.familyName sw "A_"', '(users.family_key >= "a_" and users.family_key < "a`")', 'a range'],
  ['name.familyName pr', 'users.family_key <> ""', 'Table 3: non-empty'],
  [
    'not (name.familyName pr)',
    '(users.family_key is null or users.family_key = "")',
    'Table 3: non-empty',
  ],
  ['active eq true', 'active = true', 'boolean'],
  ['active ne true', '(active is null or active <> true)', 'boolean'],
  ['active pr', 'active is not null', 'false is a value'],
  ['not (active pr)', 'active is null', 'false is a value'],
  ['age gt 5', 'age > 5', 'integer'],
  ['age eq 5.5', '(age is null and age is not null)', 'not a whole number'],
  ['age ne 5.5', '(age is null or (age is null or age is not null))', 'any whole number, or null'],
  ['score eq 1.5', 'score = 1.5', 'decimal'],
  ['meta.created eq "2026-01-31T14:00:00+02:00"', `created = ${SECOND}`, 'RFC 7643 §2.3.5'],
  [
    'meta.lastModified le "2026-01-31T12:00:00Z"',
    'modified <= "2026-01-31T12:00:00.000Z"',
    'strings of one length',
  ],
  [
    'id pr and not (age eq 1 or age eq 2)',
    '(id <> "" and ((age is null or age <> 1) and (age is null or age <> 2)))',
    'De Morgan',
  ],
  [
    'not (active eq true and age eq 1)',
    '((active is null or active <> true) or (age is null or age <> 1))',
    'De Morgan',
  ],
  ['not (not (id eq "a"))', 'id = "a"', 'De Morgan'],
  ['roles.primary eq true', 'primary_role = true', 'an untyped column of booleans'],
  ['roles.primary ne true', '(primary_role is null or primary_role <> true)', 'RFC 7643 §2.5'],
  ['roles.primary pr', 'primary_role is not null', 'false is a value, so no string is compared'],
  ['emails.primary eq true', 'primary_email = true', 'letter case does not matter to a boolean'],
  ['verified eq true', 'verified = true', 'the value has the type of the attribute'],
  ['rank eq 5', 'rank = 5', 'an untyped column of numbers'],
  ['rank eq "5"', 'rank = "5"', 'an untyped column of strings'],
  [`${ENTERPRISE}:manager pr`, 'manager_id <> ""', 'RFC 7643 §2.4: value is the significant part'],
]

/** Filters without an exact translation: the reason, the narrowest superset, and the filter for memory. */
export const inexact: readonly (readonly [
  filter: string,
  reason: string,
  where: string,
  residual: string,
])[] = [
  [
    'emails[type eq "work"]',
    'a value path tests one element of a multi-valued attribute',
    'null',
    'emails[type eq "work"]',
  ],
  ['title eq "a"', 'is not mapped to a column', 'null', 'title eq "a"'],
  ['constructor pr', 'is not mapped to a column', 'null', 'constructor pr'],
  ['userName ne "a"', 'ilike cannot be negated', 'null', 'userName ne "a"'],
  ['not (userName eq "a")', 'ilike cannot be negated', 'null', 'not (userName eq "a")'],
  ['not (id co "a")', 'SQL cannot negate', 'null', 'not (id co "a")'],
  [
    'userName gt "a"',
    'folded text cannot be ordered through ilike',
    'user_name is not null',
    'userName gt "a"',
  ],
  [
    'not (userName gt "a")',
    'folded text cannot be ordered through ilike',
    'null',
    'not (userName gt "a")',
  ],
  ['id co "a%b"', 'the value contains %, _ or a backslash', 'id like "%a_b%"', 'id co "a%b"'],
  [
    'userName eq "100%"',
    'the value contains %, _ or a backslash',
    'user_name ilike "100_"',
    'userName eq "100%"',
  ],
  [
    'userName eq "José"',
    'databases fold the value differently',
    'user_name ilike "Jos%"',
    'userName eq "José"',
  ],
  ['id eq "a\\u0000"', 'the value contains', 'id is not null', 'id eq "a\\u0000"'],
  ['age eq 2147483648', 'the number is too large', 'age is not null', 'age eq 2147483648'],
  ['active eq true and title pr', 'is not mapped to a column', 'active = true', 'title pr'],
  [
    'userName sw "a" and emails[type eq "work"] and id pr',
    'a value path tests one element of a multi-valued attribute',
    '(user_name ilike "a%" and id <> "")',
    'emails[type eq "work"]',
  ],
  [
    'id eq "a" and id co "%" and title pr',
    'the value contains %, _ or a backslash',
    '(id = "a" and id like "%_%")',
    'id co "%" and title pr',
  ],
  [
    'userName eq "é" or id eq "a"',
    'databases fold the value differently',
    '(user_name ilike "%" or id = "a")',
    'userName eq "é" or id eq "a"',
  ],
  [
    'active eq true and not (title pr or nickName pr) and displayName pr',
    'title is not mapped to a column',
    'active = true',
    'not (title pr) and not (nickName pr) and displayName pr',
  ],
  ['id eq "a" or title pr', 'is not mapped to a column', 'null', 'id eq "a" or title pr'],
  [
    'not (id eq "a" or title pr)',
    'is not mapped to a column',
    '(id is null or id <> "a")',
    'not (title pr)',
  ],
  [
    'not (id eq "a" and title pr)',
    'is not mapped to a column',
    'null',
    'not (id eq "a" and title pr)',
  ],
  [
    'active eq true and (age eq 1 or (id eq "a" and title pr))',
    'is not mapped to a column',
    '(active = true and (age = 1 or id = "a"))',
    'age eq 1 or id eq "a" and title pr',
  ],
  ['id eq 5', 'the attribute is of type string, not number', 'id is not null', 'id eq 5'],
  ['verified pr', 'pr requires a column with a type', 'verified is not null', 'verified pr'],
  ['not (verified pr)', 'pr requires a column with a type', 'null', 'not (verified pr)'],
  ['rank gt 5', 'gt requires a column with a type', 'rank is not null', 'rank gt 5'],
  ['rank eq 5.5', 'a fraction requires a column', 'rank is not null', 'rank eq 5.5'],
  ['rank eq 2147483648', 'the number is too large', 'rank is not null', 'rank eq 2147483648'],
]

/** Filters that the type of their column does not support. */
export const rejected: readonly (readonly [filter: string, message: string])[] = [
  ['name.familyName eq 5', 'name.familyName eq 5: the value must be a string'],
  ['id gt null', "id gt null: 'gt' cannot compare with null"],
  ['active eq "true"', 'active eq "true": the value must be true or false'],
  ['active gt true', "active gt true: 'gt' cannot compare booleans"],
  ['age co 5', "age co 5: 'co' cannot compare numbers"],
  ['age eq "5"', 'age eq "5": the value must be a number'],
  ['score eq "5"', 'score eq "5": the value must be a number'],
  [
    'meta.created co "2026-01-31T12:00:00Z"',
    `meta.created co "2026-01-31T12:00:00Z": 'co' cannot compare instants`,
  ],
  [
    'meta.created gt "soon"',
    'meta.created gt "soon": the value must be a dateTime such as "2026-01-31T12:00:00Z"',
  ],
  [
    'meta.lastModified eq 5',
    'meta.lastModified eq 5: the value must be a dateTime such as "2026-01-31T12:00:00Z"',
  ],
  [
    'title pr or not (emails[type pr] and active eq 1)',
    'active eq 1: the value must be true or false',
  ],
]
