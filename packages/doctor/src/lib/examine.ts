import { failure, type Result, success } from '@plumbline/result'
import { type Confirm, requireAccess, requireConfirmation } from './access.ts'
import type { Check, ProviderName } from './check.ts'
import { CHECKS } from './checks.ts'
import { type CleanOptions, clean, cleanAll } from './clean.ts'
import { discover } from './discover.ts'
import { ExaminationError } from './examination-error.ts'
import { createFeatures } from './features.ts'
import { DEFAULT_LIMITS, type ExaminationLimits } from './http/limits.ts'
import { createTransport, type Fetch, redact, sleep } from './http/transport.ts'
import { planChecks } from './plan.ts'
import type { Outcome, Report } from './report.ts'
import { A_RESPONSE, type CheckContext, runCheck } from './run-check.ts'
import { createCleaner } from './toolkit/cleaner.ts'
import { type ClientOptions, createClient } from './toolkit/client.ts'
import { createServer, type ServerOptions } from './toolkit/server.ts'

/** The options of an examination. */
export interface ExamineOptions {
  /** The bearer token. */
  readonly token?: string | undefined
  /** The whole value of the Authorization header, instead of `token`. */
  readonly authorization?: string | undefined
  /** More headers of each request, such as one for the tenant. Their values are secrets. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The base URL for a target that is a function; `https://scim.example/scim/v2` by default. */
  readonly base?: string | undefined
  /** The ids, topics or sections to which the checks are limited, such as `discovery` or `§3.4`. */
  readonly only?: readonly string[] | undefined
  /** The identity providers whose checks run, too; none by default. */
  readonly profiles?: readonly ProviderName[] | undefined
  /** Whether only GET requests and searches are sent; false by default. */
  readonly readOnly?: boolean | undefined
  /** The limits that differ from the default. */
  readonly limits?: Partial<ExaminationLimits> | undefined
  /** Ends the examination. Resources that it created are still deleted. */
  readonly signal?: AbortSignal | undefined
  /** The start of all names of resources; random by default. */
  readonly marker?: string | undefined
  /** The checks; `CHECKS` by default. */
  readonly checks?: readonly Check[] | undefined
  /** Decides whether the examination may write to a server that has resources; by default it may. */
  readonly confirm?: Confirm | undefined
  /** Receives each outcome when it is known, for a progress display. */
  readonly onOutcome?: ((outcome: Outcome, progress: Progress) => void) | undefined
}

/** How many checks ran. */
export interface Progress {
  readonly done: number
  readonly total: number
}

/**
 * Examines a SCIM server: runs the checks that apply to it, and deletes every resource that it created. The
 * failure is an `ExaminationError` with a stable `code`: the server could not be examined.
 *
 * @param target the base URL of the server, or a function that answers its requests
 * @example
 * ```ts
 * import { examine } from '@plumbline/doctor'
 * import { unwrap } from '@plumbline/result'
 * import { USER_DEFINITION } from '@plumbline/scim/discovery'
 * import { createScimEndpoint, defineResourceType, memoryStore } from '@plumbline/scim/endpoint'
 *
 * const definitions = { [USER_DEFINITION.id]: USER_DEFINITION }
 * const store = memoryStore({ definitions })
 * const { fetch } = createScimEndpoint({
 *   basePath: '/scim/v2',
 *   resourceTypes: [defineResourceType({ name: 'User', endpoint: '/Users', definitions, store })],
 *   authenticate: async () => ({}),
 * })
 * const { outcomes } = unwrap(await examine(fetch, { only: ['discovery'] }))
 * outcomes.filter(({ status }) => status === 'failed') //=> []
 * ```
 * @see RFC 7644
 */
export async function examine(
  target: string | URL | Fetch,
  options: ExamineOptions = {},
): Promise<Result<Report, ExaminationError>> {
  try {
    return success(await runExamination(prepare(target, options), options))
  } catch (error) {
    if (error instanceof ExaminationError) return failure(error)
    throw error
  }
}

interface Prepared extends Pick<ClientOptions, 'cleaner'> {
  readonly plan: readonly Check[]
  readonly client: ClientOptions
  readonly cleaning: CleanOptions
  readonly secrets: readonly string[]
}

function prepare(target: string | URL | Fetch, options: ExamineOptions): Prepared {
  const { only, profiles, checks = CHECKS, token, headers = {}, readOnly = false } = options
  const base = baseOf(typeof target === 'function' ? (options.base ?? USUAL_BASE) : target)
  const authorization = options.authorization ?? (token === undefined ? null : `Bearer ${token}`)
  const secrets = secretsOf([token, authorization, ...Object.values(headers)])
  const rate = typeof target === 'function' ? Number.POSITIVE_INFINITY : DEFAULT_LIMITS.rate
  const limits = { ...DEFAULT_LIMITS, rate, ...options.limits }
  const send = typeof target === 'function' ? target : (request: Request) => fetch(request)
  const transport = { fetch: send, limits, secrets, sleep }
  const marker = options.marker ?? `plumbline-${crypto.randomUUID().slice(0, 8)}`
  const cleaner = createCleaner(base, marker)
  const common = { base, authorization, headers, isReadOnly: readOnly, cleaner }
  const clientOptions = (signal: AbortSignal | undefined): ClientOptions => ({
    ...common,
    transport: createTransport({ ...transport, signal }),
    allowWrite: async () => undefined,
  })
  return {
    plan: planChecks(checks, { only, profiles }),
    cleaner,
    secrets,
    client: clientOptions(options.signal),
    cleaning: {
      cleaner,
      client: createClient(clientOptions(undefined), () => undefined),
      pause: () => sleep(Math.min(limits.timeout, 2_000), undefined),
    },
  }
}

/** The texts that never reach a report, in each form in which a server could return them. */
function secretsOf(given: readonly (string | null | undefined)[]): readonly string[] {
  const texts = given.flatMap((one) => (one ? [one, one.split(' ').pop() ?? ''] : []))
  const forms = texts.flatMap((one) => [
    one,
    encodeURIComponent(one),
    JSON.stringify(one).slice(1, -1),
    // Some JSON writers escape the slash, and a finding quotes JSON as a JSON string.
    ...['\\/', '\\\\/'].map((slash) => one.replaceAll('/', slash)),
  ])
  // A shorter text than that is part of ordinary words, and a report without it could not be read.
  return [...new Set(forms)].filter((one) => one.length >= 4).sort((a, b) => b.length - a.length)
}

function baseOf(target: string | URL): string {
  const text = String(target)
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new ExaminationError('invalid-options', `not an http or https URL: ${text}`)
  }
  if (url.username !== '' || url.search !== '' || url.hash !== '') {
    throw new ExaminationError('invalid-options', 'the URL must not have credentials or a query')
  }
  return url.href.replace(/\/+$/, '')
}

async function runExamination(prepared: Prepared, options: ExamineOptions): Promise<Report> {
  const { cleaner, client, cleaning } = prepared
  const outcomes = new Map<string, Outcome>()
  let stopped: string | null = null
  try {
    stopped = await runChecks(prepared, options, outcomes)
  } catch (error) {
    const left = await cleanAll(cleaning)
    if (!(error instanceof ExaminationError)) throw error
    throw new ExaminationError(error.code, error.message, { cause: error, left })
  }
  const left = await cleanAll(cleaning)
  const { marker } = cleaner
  return { target: client.base, marker, outcomes: [...outcomes.values()], left, stopped }
}

/** Returns the reason why it stopped before the last check, or null. */
async function runChecks(
  prepared: Prepared,
  options: ExamineOptions,
  outcomes: Map<string, Outcome>,
): Promise<string | null> {
  const { plan, cleaning } = prepared
  const context = await createContext(prepared, options, outcomes)
  for (const check of plan) {
    const outcome = await runCheck(context, check)
    outcomes.set(check.id, outcome)
    options.onOutcome?.(outcome, { done: outcomes.size, total: plan.length })
    await clean(cleaning)
    const reason = reasonToStop(outcomes)
    if (reason !== null) return reason
  }
  return null
}

async function createContext(
  { cleaner, client, secrets }: Prepared,
  { confirm }: ExamineOptions,
  outcomes: ReadonlyMap<string, Outcome>,
): Promise<CheckContext> {
  const unrecorded = createClient(client, () => undefined)
  const discovered = await discover(unrecorded)
  await requireAccess(unrecorded, discovered.types)
  let allowed: Promise<void> | undefined
  const allowWrite = (): Promise<void> => {
    allowed ??= confirm ? requireConfirmation(unrecorded, discovered.types, confirm) : undefined
    return allowed ?? Promise.resolve()
  }
  const { marker, keep } = cleaner
  let count = 0
  const server: ServerOptions = {
    ...discovered,
    marker,
    unique: () => {
      count += 1
      return `${marker}-${count}`
    },
    shared: { people: null, team: null, rejections: new Map() },
    keep,
  }
  const { isReadOnly, authorization } = client
  const facts = { ...discovered, client: unrecorded, isReadOnly }
  return {
    outcomes,
    findReason: createFeatures({ ...facts, hasCredentials: authorization !== null }),
    serverFor: (record) => createServer(server, createClient({ ...client, allowWrite }, record)),
    redact: (text) => redact(text, secrets),
  }
}

/** After three checks in a row without a response, the server is regarded as lost. */
function reasonToStop(outcomes: ReadonlyMap<string, Outcome>): string | null {
  const last = [...outcomes.values()].filter(({ status }) => status !== 'skipped').slice(-3)
  const lost = last.map(({ finding }) => (finding?.expected === A_RESPONSE ? finding.found : null))
  return lost.length === 3 && lost.every((fault) => fault !== null) ? (lost[2] ?? null) : null
}

const USUAL_BASE = 'https://scim.example/scim/v2'
