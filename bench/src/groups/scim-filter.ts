import { unwrap } from '@plumbline/result'
import { ENTERPRISE_USER_DEFINITION, USER_DEFINITION } from '@plumbline/scim/discovery'
import { compileFilter, type Filter, parseFilter } from '@plumbline/scim/filter'
import * as scim2Filter from 'scim2-filter'
import * as scim2ParseFilter from 'scim2-parse-filter'
import SCIMMY from 'scimmy'
import { compare } from '../compare.ts'
import { amount } from '../short.ts'
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

/** A user every filter above finds, with any handling of letter case, and one that no filter finds. */
const found = {
  userName: 'bjensen@example.com',
  displayName: 'name 7',
  title: 'Engineer',
  active: true,
  emails: [{ type: 'work', value: 'b@example.com' }],
}
const other = {
  userName: 'x',
  displayName: 'x',
  active: true,
  emails: [{ type: 'home', value: 'x' }],
}

/** Hand-written code for the filter, with the semantics in RFC 7644 §3.4.2.2. */
type Wanted = (user: Record<string, unknown>) => boolean
const evaluated: Readonly<Record<string, Wanted>> = {
  'userName eq "User77777@Example.com"': ({ userName }) =>
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
  'name.familyName sw "Jensen9" and active eq true': ({ name, active }) =>
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
  const users = Array.from({ length: amount(100_000, 1_000) }, (_, number) => user(number))
  for (const [text, wanted] of Object.entries(evaluated)) await evaluating(users, text, wanted)
}

async function parsing(what: string, text: string): Promise<void> {
  const matches = (predicate: (one: object) => unknown) => [found, other].map(predicate)
  await compare(
    `Parse ${what}`,
    [
      {
        name: '@plumbline/scim',
        run: () => unwrap(parseFilter(text)),
        answer: (tree: Filter.Expression) => matches(unwrap(compileFilter(tree, { definitions }))),
      },
      {
        name: 'scim2-filter',
        run: () => scim2Filter.parse(text),
        // Both parsers return the same trees: one evaluator serves both.
        answer: (tree: scim2Filter.Filter) => matches(scim2ParseFilter.filter(tree as never)),
      },
      {
        name: 'scim2-parse-filter',
        run: () => scim2ParseFilter.parse(text),
        answer: (tree: scim2ParseFilter.Filter) => matches(scim2ParseFilter.filter(tree)),
      },
      {
        name: 'scimmy',
        run: () => new SCIMMY.Types.Filter(text),
        answer: (filter: InstanceType<typeof SCIMMY.Types.Filter>) =>
          matches((one) => filter.match([one]).length === 1),
      },
    ],
    {
      budgets: [
        { against: 'scim2-filter', atMost: 1 },
        { against: 'scim2-parse-filter', atMost: 1 },
        { against: 'scimmy', atMost: 1 },
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
  const answer = (chosen: readonly Record<string, unknown>[]) => chosen.map(({ id }) => id)
  const right = users.filter(wanted).length
  // A contender finding other users does different work, so the times cannot be compared.
  const first = scim2Filter.filter(scim2Filter.parse(text))
  const second = scim2ParseFilter.filter(scim2ParseFilter.parse(text))
  const third = new SCIMMY.Types.Filter(text)
  const peers = [
    { name: 'scim2-filter', run: () => users.filter(first) },
    { name: 'scim2-parse-filter', run: () => users.filter(second) },
    { name: 'scimmy', run: () => third.match([...users]) as typeof users },
  ].filter(({ run }) => run().length === right)
  await compare(
    `Evaluate \`${text}\` over 100,000 users, of whom ${right.toLocaleString('en')} match`,
    [
      { name: '@plumbline/scim', run: () => users.filter(predicate), answer },
      { name: 'hand-written', run: () => users.filter(wanted), answer },
      ...peers.map((peer) => ({ ...peer, answer })),
    ],
    { rounds: 9, budgets: [{ against: 'hand-written', atMost: 2 }] },
  )
}
