import { failure, type Result, success } from '@plumbline/result'
import type { Confirm } from './access.ts'
import type { Check, ProfileName } from './check.ts'
import { CHECKS } from './checks.ts'
import { type CleanOptions, clean, cleanAll } from './clean.ts'
import { type Connection, createContext } from './create-context.ts'
import { ExaminationError } from './examination-error.ts'
import { createTransport, type Fetch, sleep } from './http/transport.ts'
import { findOptionFault, type OptionType } from './option-faults.ts'
import { planChecks } from './plan.ts'
import { textsOf } from './profiles.ts'
import type { Outcome, Report, Waiver } from './report.ts'
import { runCheck } from './run-check.ts'
import { prepareTarget, type TargetOptions } from './target.ts'
import type { Adapt } from './toolkit/adapt.ts'
import { createCleaner } from './toolkit/cleaner.ts'
import { type ClientOptions, createClient } from './toolkit/client.ts'
import type { Settle } from './toolkit/server.ts'
import { VERSION } from './version.ts'
import { waive } from './waive.ts'

/** Options for `examine`. */
export interface ExamineOptions extends TargetOptions {
  /** The ids, topics or sections to which the checks are limited, such as `discovery` or `§3.4`. */
  readonly only?: readonly string[] | undefined
  /** The ids, topics or sections whose checks do not run. */
  readonly skip?: readonly string[] | undefined
  /** The resource types to examine, by name, such as `User`; all by default. */
  readonly types?: readonly string[] | undefined
  /**
   * Attribute values for all resources, such as `{ userName: '…@verified.example' }`. The ellipsis becomes the text
   * that makes a value unique.
   */
  readonly values?: Readonly<Record<string, string>> | undefined
  /** Known and accepted findings: their checks are skipped, and the report has the reasons. */
  readonly waivers?: readonly Waiver[] | undefined
  /** Identity providers whose checks also run; none by default. */
  readonly profiles?: readonly ProfileName[] | undefined
  /** Whether to send only GET requests and searches; false by default. */
  readonly readOnly?: boolean | undefined
  /**
   * Whether to send requests that could take a server down, such as deeply nested bodies; false by default. Never with
   * `readOnly`.
   */
  readonly hostile?: boolean | undefined
  /**
   * Whether to examine each attribute of each resource type with every request (thousands), and require values to be
   * stored as sent; false by default. For a server in the same process.
   */
  readonly thorough?: boolean | undefined
  /** Ends the examination. The resources it created are still deleted. */
  readonly signal?: AbortSignal | undefined
  /** The prefix of all resource names; random by default. */
  readonly marker?: string | undefined
  /** The checks to run; `CHECKS` by default. */
  readonly checks?: readonly Check[] | undefined
  /** Changes each sample before it is sent, for rules the schemas do not have. */
  readonly adapt?: Adapt | undefined
  /** Decides whether the examination may write to a server with resources; by default it may. */
  readonly confirm?: Confirm | undefined
  /** Receives each outcome when it is known, for a progress display. */
  readonly onOutcome?: ((outcome: Outcome, progress: Progress) => void) | undefined
}

/** How many checks ran. */
export interface Progress {
  readonly done: number
  readonly total: number
}

/** Options for `examineStore`, if the store is known. */
export interface StoreExaminationOptions extends ExamineOptions {
  /** Returns a resource as the store keeps it; as sent by default. */
  readonly settle?: Settle
}

/**
 * Examines a SCIM server: runs the checks that apply, and deletes every resource it created. The failure is an
 * `ExaminationError` with a stable `code`: the server could not be examined.
 *
 * @param target the server's base URL, or a function that answers its requests
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
  return await examineStore(target, options)
}

/** Examines a server whose store is known. */
export async function examineStore(
  target: string | URL | Fetch,
  options: StoreExaminationOptions,
): Promise<Result<Report, ExaminationError>> {
  try {
    const fault = findOptionFault<StoreExaminationOptions>('', options, OPTION_TYPES)
    if (fault !== null) throw new ExaminationError('invalid-options', fault)
    return success(await runExamination(prepare(target, options), options))
  } catch (error) {
    if (error instanceof ExaminationError) return failure(error)
    throw error
  }
}

interface Prepared extends Connection {
  readonly plan: readonly Check[]
  readonly cleaning: CleanOptions
}

function prepare(target: string | URL | Fetch, options: ExamineOptions): Prepared {
  const { only, profiles, checks = CHECKS, readOnly = false, hostile } = options
  const { base, authorization, headers, transport } = prepareTarget(target, options)
  const marker = options.marker ?? `plumbline-${crypto.randomUUID().slice(0, 8)}`
  const cleaner = createCleaner(base, marker)
  const common = { base, authorization, headers, isReadOnly: readOnly, cleaner }
  const clientOptions = (signal: AbortSignal | undefined): ClientOptions => ({
    ...common,
    transport: createTransport({ ...transport, signal }),
    allowWrite: async () => undefined,
  })
  return {
    plan: planChecks(checks, {
      only,
      profiles,
      skip: options.skip,
      isHostile: hostile || undefined,
    }),
    cleaner,
    redaction: transport.redaction,
    client: clientOptions(options.signal),
    cleaning: {
      cleaner,
      client: createClient(clientOptions(undefined), () => undefined),
      pause: () => sleep(Math.min(transport.limits.timeout, 2_000), undefined),
    },
  }
}

async function runExamination(
  prepared: Prepared,
  options: StoreExaminationOptions,
): Promise<Report> {
  const { cleaner, client, cleaning } = prepared
  const { profiles = [] } = options
  const run = { date: new Date().toISOString(), doctor: VERSION, profiles }
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
  const texts = textsOf(options.profiles ?? [])
  return {
    target: client.base,
    ...run,
    marker,
    outcomes: [...outcomes.values()],
    left,
    stopped,
    ...(texts.length === 0 ? {} : { texts }),
  }
}

/** Returns the reason why it stopped before the last check, or null. */
async function runChecks(
  prepared: Prepared,
  options: StoreExaminationOptions,
  outcomes: Map<string, Outcome>,
): Promise<string | null> {
  const { plan, cleaning } = prepared
  const context = await createContext(prepared, options, outcomes)
  for (const check of plan) {
    const outcome = waive(await runCheck(context, check), options.waivers, new Date())
    outcomes.set(check.id, outcome)
    options.onOutcome?.(outcome, { done: outcomes.size, total: plan.length })
    await clean(cleaning)
    const reason = reasonToStop(outcomes)
    if (reason !== null) return reason
  }
  return null
}

/** After three checks in a row without a response, the server is regarded as lost. */
function reasonToStop(outcomes: ReadonlyMap<string, Outcome>): string | null {
  const last = [...outcomes.values()]
    .filter(({ status }) => status !== 'skipped' && status !== 'blocked')
    .slice(-3)
  const isLost = last.length === 3 && last.every(({ status }) => status === 'unanswered')
  return isLost ? (last[2]?.reason ?? null) : null
}

const OPTION_TYPES: Readonly<Record<keyof StoreExaminationOptions, OptionType>> = {
  token: 'string',
  authorization: 'string',
  headers: 'object',
  base: 'string',
  limits: 'object',
  only: 'list',
  skip: 'list',
  types: 'list',
  values: 'object',
  waivers: 'any',
  profiles: 'list',
  readOnly: 'boolean',
  hostile: 'boolean',
  thorough: 'boolean',
  signal: 'any',
  marker: 'string',
  checks: 'any',
  adapt: 'function',
  confirm: 'function',
  onOutcome: 'function',
  settle: 'function',
}
