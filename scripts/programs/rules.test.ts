import { expect, it } from 'vitest'
import { readPrograms, readProjects } from './programs.ts'
import { faultsOf, RULES } from './rules.ts'

/** A program that a user may deploy. */
const GOOD = `import express from 'express'
// createScimEndpoint({ authenticate: ({ headers }) => headers.get('Authorization') })
database.exec('create table users (id integer primary key autoincrement, email text)')
const store = sqlStore<Client>({
  attributes: { userName: 'username', 'emails[work].value': 'email', active: { column: 'active' } },
})
const scim = createScimEndpoint<{ readonly org: number }>({
  base: process.env['SCIM_BASE'],
  resourceTypes: [defineResourceType({ name: 'User', endpoint: '/Users', store })],
  authenticate: bearerTokens({ token: process.env['SCIM_TOKEN'], context: { org: 7 } }),
  transaction,
  onError: (error) => console.error(error),
})
`

function faultsIn(code: string, file = 'docs/pages/scim/x.md') {
  return faultsOf([{ file, line: 10, code, whole: code }], [])
}

it('a program that may be deployed passes', () => {
  expect(faultsIn(GOOD)).toEqual([])
})

const COMPARED = "authenticate: async ({ headers }) => headers.get('authorization') === token,"

it.each<[keyof typeof RULES, number, string, string]>([
  ['header', 20, 'authenticate: bearerTokens({', `${COMPARED} other: bearerTokens({`],
  ['authenticate', 17, 'bearerTokens', 'allow'],
  ['default-token', 20, "process.env['SCIM_TOKEN']", "'secret'"],
  ['default-token', 20, "['SCIM_TOKEN']", "['SCIM_TOKEN'] ?? 'x'"],
  ['default-token', 20, "['SCIM_TOKEN']", ".SCIM_TOKEN || 'x'"],
  ['transaction', 17, '  transaction,\n', ''],
  ['transaction', 17, '  transaction,\n', '  x: { transaction },\n'],
  ['transaction', 17, '  transaction,\n', '  // transaction,\n'],
  ['onError', 17, '  onError: (error) => console.error(error),\n', ''],
  ['base', 17, "  base: process.env['SCIM_BASE'],\n", "  basePath: '/scim/v2',\n"],
  ['base', 17, "process.env['SCIM_BASE']", '({ url }) => new URL(url).origin'],
  ['columns', 15, "'username'", "'email'"],
  ['columns', 15, "value': 'email'", "value': 'username'"],
  ['keys', 13, ' autoincrement', ''],
])('%s is broken at line %i by %j in place of %j', (name, line, right, wrong) => {
  const code = GOOD.replace(right, wrong)
  expect(code).not.toBe(GOOD)
  expect(faultsIn(code)).toContainEqual(
    `docs/pages/scim/x.md:${line}: ${name}: ${RULES[name]?.reason}`,
  )
})

it('two programs with one fault each are reported at their lines', () => {
  const bad = GOOD.replace('  transaction,\n', '')
  expect(faultsIn(`${bad}${bad}`).map((fault) => fault.slice(0, 38))).toEqual([
    'docs/pages/scim/x.md:17: transaction: ',
    'docs/pages/scim/x.md:29: transaction: ',
  ])
})

it('a program in memory needs neither a transaction nor a public URL', () => {
  const code = `const scim = createScimEndpoint({
  basePath: '/',
  resourceTypes: [defineResourceType({ name: 'User', endpoint: '/Users', store: memoryStore() })],
  authenticate: bearerTokens({ token, context: {} }),
  onError,
})`
  expect(faultsIn(code)).toEqual([])
})

it('a route of Next.js needs a public URL', () => {
  const code = GOOD.replace("import express from 'express'", '').replace(/ {2}base: .*\n/, '')
  expect(faultsIn(code, 'examples/nextjs/app/route.ts')).toHaveLength(1)
  expect(faultsIn(code, 'examples/x.ts')).toEqual([])
})

it('the files of a project are checked together', () => {
  const server = `export const scim = createScimEndpoint({
  basePath: '/scim/v2',
  authenticate,
  onError,
})`
  const map = "const users = sqlStore({ attributes: { userName: 'a', title: 'a' } })"
  const whole = `${server}\n${map}`
  const project = [
    { file: 'server.ts', line: 0, code: server, whole },
    { file: 'map.ts', line: 0, code: map, whole },
  ]
  expect(faultsOf(project, []).map((fault) => fault.split(': ').slice(0, 2))).toEqual([
    ['server.ts:1', 'authenticate'],
    ['server.ts:1', 'transaction'],
    ['map.ts:1', 'columns'],
  ])
})

it('a map without an endpoint is checked', () => {
  const map = "sqlStore({ attributes: { userName: 'email', 'emails[work].value': 'email' } })"
  expect(faultsIn(map)).toEqual([`docs/pages/scim/x.md:11: columns: ${RULES['columns']?.reason}`])
})

it('a program without an endpoint may do anything', () => {
  expect(faultsIn("headers.get('Authorization') === 'Bearer secret'")).toEqual([])
})

it('an exemption is for a file and its rules', () => {
  const code = GOOD.replace('  transaction,\n', '').replace(' autoincrement', '')
  const file = 'docs/pages/scim/x.md'
  const programs = [{ file, line: 0, code, whole: code }]
  const exempt = (rules: string[], other = file) =>
    faultsOf(programs, [{ file: other, rules, reason: 'It shows one function.' }]).length
  expect(exempt(['transaction'])).toBe(1)
  expect(exempt(['transaction', 'keys'])).toBe(0)
  expect(exempt(['transaction', 'keys'], 'README.md')).toBe(2)
})

it('the programs of READMEs, pages, comments and examples are found', () => {
  const files = new Set([...readPrograms(), ...readProjects()].map(({ file }) => file))
  for (const file of [
    'README.md',
    'packages/scim/SKILL.md',
    'docs/pages/scim/changes.md',
    'packages/scim/src/lib/endpoint/endpoint.ts',
    'examples/scim/sql-store.ts',
    'examples/express-kysely/server.ts',
    'examples/nextjs/app/scim/v2/[[...path]]/route.ts',
  ]) {
    expect(files).toContain(file)
  }
})
