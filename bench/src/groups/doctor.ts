import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { CHECKS, examine, type Outcome, type Report } from '@plumbline/doctor'
import { isFailure } from '@plumbline/result'
import {
  ENTERPRISE_USER_DEFINITION,
  GROUP_DEFINITION,
  USER_DEFINITION,
} from '@plumbline/scim/discovery'
import { createScimEndpoint, defineResourceType, memoryStore } from '@plumbline/scim/endpoint'
import { TOKEN } from '../doctor/token.ts'

interface Contender {
  readonly name: string
  readonly start: () => Promise<Started>
}

interface Started {
  readonly target: Parameters<typeof examine>[0]
  readonly stop: () => void
}

const CONTENDERS: readonly Contender[] = [
  {
    name: '@plumbline/scim/endpoint, memoryStore',
    start: async () => ({ target: createEndpoint(), stop: () => undefined }),
  },
  { name: 'scimmy, scimmy-routers, express', start: () => fork('scimmy.ts') },
]

/** Starts a server in a process of its own: a request that blocks it must not block the examination. */
async function fork(file: string): Promise<Started> {
  const program = fileURLToPath(new URL(`../doctor/${file}`, import.meta.url))
  // It logs the stack of each error, which would hide the tables.
  const child = spawn(process.execPath, ['--conditions=source', program], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const [port] = await once(child, 'message')
  return { target: `http://127.0.0.1:${port}/scim/v2`, stop: () => void child.kill('SIGKILL') }
}

/** Without the checks whose findings are security relevant: those are reported to the authors of a server only. */
const PUBLISHED = CHECKS.filter(({ id }) => !/^(robustness|authentication)\./.test(id))

/** Examines servers in memory, and prints how many checks of each section passed, failed or were not offered. */
export async function run(): Promise<void> {
  for (const { name, start } of CONTENDERS) {
    const { target, stop } = await start()
    const started = performance.now()
    const limits = { rate: 10_000, timeout: 5_000 }
    const result = await examine(target, { token: TOKEN, limits, checks: PUBLISHED })
    stop()
    if (isFailure(result)) throw result.error
    const seconds = ((performance.now() - started) / 1_000).toFixed(1)
    console.log(`\n${name}, examined in ${seconds} s\n`)
    printSections(result.data)
  }
}

function printSections({ outcomes, stopped }: Report): void {
  console.log('| section | passed | failed MUST | failed others | not offered |')
  console.log('| --- | --- | --- | --- | --- |')
  const sections = [...new Set(outcomes.map(sectionOf))].sort((left, right) =>
    left.localeCompare(right, 'en', { numeric: true }),
  )
  for (const section of sections) {
    printRow(
      section,
      outcomes.filter((outcome) => sectionOf(outcome) === section),
    )
  }
  printRow('all', outcomes)
  if (stopped !== null)
    console.log('\nThe examination ended early, because the server did not answer.')
}

function printRow(name: string, outcomes: readonly Outcome[]): void {
  const failed = outcomes.filter(({ status }) => status === 'failed' || status === 'broken')
  const must = failed.filter(({ level }) => level === 'MUST').length
  const counts = [
    outcomes.filter(({ status }) => status === 'passed').length,
    must,
    failed.length - must,
    outcomes.filter(({ status }) => status === 'skipped').length,
  ]
  console.log(`| ${[name, ...counts].join(' | ')} |`)
}

/** The section up to its second number; the checks of identity providers are one row. */
function sectionOf({ section }: Outcome): string {
  return /^RFC \d+ §\d+(?:\.\d+)?/.exec(section)?.[0] ?? 'practice'
}

function createEndpoint(): (request: Request) => Promise<Response> {
  const users = {
    [USER_DEFINITION.id]: USER_DEFINITION,
    [ENTERPRISE_USER_DEFINITION.id]: ENTERPRISE_USER_DEFINITION,
  }
  const groups = { [GROUP_DEFINITION.id]: GROUP_DEFINITION }
  const groupStore = memoryStore({ definitions: groups })
  const userStore = memoryStore({ definitions: users, groups: groupStore })
  const user = { name: 'User', endpoint: '/Users', definitions: users, store: userStore }
  const group = { name: 'Group', endpoint: '/Groups', definitions: groups, store: groupStore }
  const { fetch } = createScimEndpoint({
    basePath: '/scim/v2',
    resourceTypes: [defineResourceType(user), defineResourceType(group)],
    authenticate: async ({ headers }) =>
      headers.get('Authorization') === `Bearer ${TOKEN}` ? {} : null,
  })
  return fetch
}
