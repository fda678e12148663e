import { unwrap } from '@plumbline/result'
import { ENTERPRISE_USER_DEFINITION, USER_DEFINITION } from '@plumbline/scim/discovery'
import { compileFilter, parseFilter } from '@plumbline/scim/filter'
import * as scim2Filter from 'scim2-filter'
import * as scim2ParseFilter from 'scim2-parse-filter'
import SCIMMY from 'scimmy'
import { compare } from '../compare.ts'
import { user } from '../users.ts'

const definitions = {
  [USER_DEFINITION.id]: USER_DEFINITION,
  [ENTERPRISE_USER_DEFINITION.id]: ENTERPRISE_USER_DEFINITION,
}

const texts = {
  'a short filter': 'userName eq "bjensen@example.com"',
  'a medium filter':
    'userName sw "b" and (emails[type eq "work" and value co "@example.com"] or title pr) and active eq true',
  'twenty clauses': Array.from({ length: 20 }, (_, at) => `displayName co "name ${at}"`).join(
    ' or ',
  ),
}

/** What a person would write for the filter, with the semantics of RFC 7644 §3.4.2.2. */
type Wanted = (user: Record<string, unknown>) => boolean
const evaluated: Readonly<Record<string, Wanted>> = {
  'userName eq "user77777@example.com"': ({ userName }) =>
    typeof userName === 'string' && userName.toLowerCase() === 'user77777@example.com',
  'emails[type eq "work" and value ew "77@example.com"]': ({ emails }) =>
    Array.isArray(emails) &&
    emails.some(
      ({ type, value }) =>
        typeof type === 'string' &&
        type.toLowerCase() === 'work' &&
        typeof value === 'string' &&
        value.toLowerCase().endsWith('77@example.com'),
    ),
  'name.familyName sw "jensen9" and active eq true': ({ name, active }) =>
    active === true &&
    typeof name === 'object' &&
    name !== null &&
    'familyName' in name &&
    typeof name.familyName === 'string' &&
    name.familyName.toLowerCase().startsWith('jensen9'),
  'meta.lastModified gt "2026-01-01T12:00:00Z"': ({ meta }) =>
    typeof meta === 'object' &&
    meta !== null &&
    'lastModified' in meta &&
    typeof meta.lastModified === 'string' &&
    Date.parse(meta.lastModified) > Date.UTC(2026, 0, 1, 12),
}

export async function run(): Promise<void> {
  for (const [what, text] of Object.entries(texts)) await parsing(what, text)
  const users = Array.from({ length: 100_000 }, (_, number) => user(number))
  for (const [text, wanted] of Object.entries(evaluated)) await evaluating(users, text, wanted)
}

async function parsing(what: string, text: string): Promise<void> {
  await compare(
    `Parse ${what}`,
    [
      { name: '@plumbline/scim', run: () => parseFilter(text) },
      { name: 'scim2-filter', run: () => scim2Filter.parse(text) },
      { name: 'scim2-parse-filter', run: () => scim2ParseFilter.parse(text) },
      { name: 'scimmy', run: () => new SCIMMY.Types.Filter(text) },
    ],
    {
      budgets: [
        { against: 'scim2-filter', atMost: 1 },
        { against: 'scim2-parse-filter', atMost: 1 },
      ],
    },
  )
}

async function evaluating(
  users: readonly Record<string, unknown>[],
  text: string,
  wanted: Wanted,
): Promise<void> {
  const predicate = unwrap(compileFilter(unwrap(parseFilter(text)), { definitions }))
  const parsed = scim2ParseFilter.filter(scim2ParseFilter.parse(text))
  const right = users.filter(wanted).length
  const found = users.filter(predicate).length
  if (found !== right) throw new Error(`${text}: ${found} users instead of ${right}`)
  await compare(
    `Evaluate \`${text}\` over 100,000 users (${right} match)`,
    [
      { name: '@plumbline/scim', run: () => count(users, predicate) },
      { name: 'hand-written', run: () => count(users, wanted) },
      {
        name: `scim2-parse-filter (finds ${users.filter((one) => parsed(one)).length})`,
        run: () => count(users, (one) => parsed(one)),
      },
    ],
    { budgets: [{ against: 'hand-written', atMost: 2 }] },
  )
}

function count(users: readonly Record<string, unknown>[], predicate: Wanted): number {
  let matching = 0
  for (const one of users) if (predicate(one)) matching += 1
  return matching
}
