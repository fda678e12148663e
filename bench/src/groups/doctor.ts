import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { CHECKS, examine, type Outcome, type Report } from '@plumbline/doctor'
import { unwrap } from '@plumbline/result'
import {
  ENTERPRISE_USER_DEFINITION,
  GROUP_DEFINITION,
  USER_DEFINITION,
} from '@plumbline/scim/discovery'
import { createScimEndpoint, defineResourceType, memoryStore } from '@plumbline/scim/endpoint'
import { REPORTED } from '../../../packages/doctor/test/permitted/reported.ts'
import { SCHEMA_VARIANTS } from '../../../packages/doctor/test/permitted/rfc7643.ts'
import { PROTOCOL_VARIANTS } from '../../../packages/doctor/test/permitted/rfc7644.ts'
import {
  BASE,
  createReference,
  TOKEN as REFERENCE_TOKEN,
} from '../../../packages/doctor/test/reference.ts'
import { TOKEN } from '../doctor/token.ts'
import { isShort } from '../short.ts'

/** How long a server may take until it listens. */
const START_MS = 30_000

/** How long one server's examination may take: a server may hang at many checks. */
const EXAMINATION_MS = 180_000

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
  { name: 'better-auth, @better-auth/scim', start: () => fork('better-auth.ts') },
]

/** Starts a server in a separate process, so a blocking request does not block the examination. */
async function fork(file: string): Promise<Started> {
  const program = fileURLToPath(new URL(`../doctor/${file}`, import.meta.url))
  // It logs each error's stack, which would hide the tables.
  const child = spawn(process.execPath, ['--conditions=@plumbline/source', program], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const stop = () => void child.kill('SIGKILL')
  const signal = AbortSignal.timeout(START_MS)
  try {
    // A server ending before it listens does not send a message.
    const [target] = await Promise.race([
      once(child, 'message', { signal }),
      once(child, 'exit', { signal }).then(() => Promise.reject(new Error(`${file} ended`))),
    ])
    return { target: String(target), stop }
  } catch (error) {
    stop()
    throw error
  }
}

/** Without security-relevant checks: their findings are reported to a server's authors only. */
const PUBLISHED = CHECKS.filter(({ id }) =>
  isShort ? id.startsWith('discovery.') : !/^(robustness|authentication)\./.test(id),
)

/** Examines servers in memory, and prints how many checks in each section passed, failed or were not offered. */
export async function run(): Promise<void> {
  for (const contender of CONTENDERS) {
    const started = performance.now()
    const report = await examineOne(contender).catch(String)
    const seconds = ((performance.now() - started) / 1_000).toFixed(1)
    console.log(`\n${contender.name}, examined in ${seconds} s\n`)
    if (typeof report !== 'string') {
      printSections(report)
    } else {
      console.log(`It could not be examined: ${report}`)
      process.exitCode = 1
    }
  }
  await printVariants()
}

/** Examines the reference with each behavior the standard permits: none may be a failed MUST. */
async function printVariants(): Promise<void> {
  console.log('\nthe reference with behavior that the standard permits\n')
  console.log(
    '| variant | section | passed | failed MUST or defined | failed others | not run | not offered |',
  )
  console.log('| --- | --- | --- | --- | --- | --- | --- |')
  for (const variant of [...REPORTED, ...SCHEMA_VARIANTS, ...PROTOCOL_VARIANTS]) {
    const { name, section, change = (correct) => correct, reference } = variant
    const target = change(createReference(reference))
    const options = { base: BASE, token: REFERENCE_TOKEN, checks: PUBLISHED }
    const { outcomes } = unwrap(await examine(target, options))
    if (countsOf(outcomes)[1] > 0) process.exitCode = 1
    console.log(`| ${[name, section, ...countsOf(outcomes)].join(' | ')} |`)
  }
}

/** Examines one server, and stops it also if it does not answer. */
async function examineOne({ start }: Contender): Promise<Report> {
  const { target, stop } = await start()
  try {
    const limits = { rate: 10_000, timeout: 5_000 }
    const signal = AbortSignal.timeout(EXAMINATION_MS)
    return unwrap(await examine(target, { token: TOKEN, limits, checks: PUBLISHED, signal }))
  } finally {
    stop()
  }
}

function printSections({ outcomes, stopped }: Report): void {
  console.log(
    '| section | passed | failed MUST or defined | failed others | not run | not offered |',
  )
  console.log('| --- | --- | --- | --- | --- | --- |')
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
  if (stopped !== null) console.log(`\nThe examination ended early: ${stopped}.`)
}

function printRow(name: string, outcomes: readonly Outcome[]): void {
  console.log(`| ${[name, ...countsOf(outcomes)].join(' | ')} |`)
}

/** A table row: passed, failed with a MUST or a defined behavior, failed others, not run, not offered. */
function countsOf(outcomes: readonly Outcome[]): readonly [number, number, number, number, number] {
  const failed = outcomes.filter(({ status }) => status === 'failed' || status === 'broken')
  const must = failed.filter(({ level }) => level === 'MUST' || level === 'defined').length
  const count = (...wanted: readonly Outcome['status'][]) =>
    outcomes.filter(({ status }) => wanted.includes(status)).length
  return [
    count('passed'),
    must,
    failed.length - must,
    count('blocked', 'unanswered'),
    count('skipped'),
  ]
}

/** Cuts the section after the second number; identity providers' checks are one row. */
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
