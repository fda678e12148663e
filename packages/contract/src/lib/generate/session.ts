import { mediaTypeOf } from '@plumbline/base'
import type { OpenAPI, SecuritySchemes } from '@plumbline/openapi'
import { findViolations } from '@plumbline/openapi/internal'
import type { ContractRecorder } from '../record/recorder.ts'
import type { Source } from '../source.ts'
import {
  chooseRequirement,
  createSecrets,
  invalidCredentials,
  type Sending,
  type TestCredentials,
  type TestSecret,
  type WrittenCredentials,
  writeCredentials,
} from './authorize.ts'
import type { GeneratedApi } from './options.ts'
import type { Parts } from './parts.ts'
import type { OperationPlan } from './plan.ts'
import { type Replaced, writeRequest } from './write.ts'

/** How a session sends requests. */
export interface SendingOptions {
  readonly source: Source
  readonly schemes: SecuritySchemes
  readonly basePath: string
  readonly recorder: ContractRecorder | undefined
  readonly credentials: TestCredentials
}

/** A request with its answer. */
export interface GeneratedExchange {
  /** The request with placeholders in place of credentials. */
  readonly shown: Request
  /** Null if `fetch` rejected, or if the request was not sent. */
  readonly response: Response | null
  /** The whole answer as text, empty for an event stream: messages quote its start, later requests find ids in it. */
  readonly text: string
  /** The differences between the answer and the document. */
  readonly violations: readonly string[]
}

/** How one request differs from the operation's usual requests. */
export interface Difference {
  readonly sending?: Sending
  /** The schemes and scopes of the credentials, in place of those of the first requirement. */
  readonly granted?: OpenAPI.SecurityRequirement
  readonly replaced?: Replaced
  /** A method in upper case. The request is sent only if no operation has this method, and is not recorded. */
  readonly method?: string
}

/** Sends an operation's requests to an API. */
export type Send = (
  plan: OperationPlan,
  parts: Parts,
  difference?: Difference,
) => Promise<GeneratedExchange>

/** Creates a function to write, send and check requests. */
export function createSend(
  api: GeneratedApi,
  { source, schemes, basePath, recorder, credentials }: SendingOptions,
): Send {
  const makeSecret = createSecrets(credentials)
  return async (plan, parts, { sending = 'valid', granted, replaced, method } = {}) => {
    const { operationId } = plan.operation
    const requirement =
      granted ?? chooseRequirement(operationId, plan.security, schemes, credentials)
    const secrets = new Map<string, TestSecret>()
    for (const [name, scopes] of Object.entries(requirement)) {
      secrets.set(name, await makeSecret(name, scopes))
    }
    const secretOf = (name: string) => {
      const valid = secrets.get(name) ?? ''
      return sending === 'invalid' ? invalidCredentials(valid) : valid
    }
    const write = (written: WrittenCredentials) =>
      writeRequest(plan, parts, { basePath, written, replaced, method })
    const written = writeCredentials(sending === 'none' ? {} : requirement, schemes, secretOf)
    const hidden = writeCredentials(sending === 'none' ? {} : requirement, schemes, (name) =>
      sending === 'invalid' ? secretOf(name) : `<${name}>`,
    )
    const [request, shown] = [write(written), write(hidden)]
    if (method === undefined)
      return await exchange(api, request, shown, { source, basePath, recorder })
    // Another path with this method may match the URL: such a request is not sent.
    const served = source.methodsOf(request, basePath || undefined)
    return served.some((one) => one.toUpperCase() === method)
      ? { shown, response: null, text: '', violations: [] }
      : await exchange(api, request, shown, { source, basePath, recorder: undefined })
  }
}

/** Sends a request, and checks the answer. */
async function exchange(
  api: GeneratedApi,
  request: Request,
  shown: Request,
  { source, basePath, recorder }: Pick<SendingOptions, 'source' | 'basePath' | 'recorder'>,
): Promise<GeneratedExchange> {
  // The answer is checked after the request was read.
  const checked = request.clone()
  let response: Response
  try {
    const next = async () => await api.fetch(request)
    response = await (recorder ? recorder.middleware({ request: checked }, next) : next())
  } catch (error) {
    return { shown, response: null, text: String(error), violations: ['fetch rejected'] }
  }
  const options = { basePath: basePath || undefined }
  const found = await findViolations(source, { request: checked }, response, options)
  const violations = found.map(
    ({ kind, message, pointer = '' }) =>
      `${kind}${pointer === '' ? '' : ` at ${pointer}`}: ${message}`,
  )
  return { shown, response, text: await readText(response), violations }
}

/** Reads an answer's text. An event stream does not end, so it is not read. */
async function readText(response: Response): Promise<string> {
  const type = mediaTypeOf(response.headers.get('Content-Type') ?? '')
  if (type !== 'text/event-stream') return await response.text().catch(String)
  await response.body?.cancel().catch(() => undefined)
  return ''
}
