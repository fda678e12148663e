import {
  type Forms,
  FUNCTION,
  isJsonObject,
  kindOf,
  own,
  requireOptions,
  STRING,
  STRINGS,
  whole,
} from '@plumbline/base'
import type { OpenAPI, SecuritySchemes } from '@plumbline/openapi'
import type { ContractRecorder } from '../record/recorder.ts'
import type { ContractReport } from '../report.ts'
import type { TestCredentials, TestSecret } from './authorize.ts'
import type { TestedDocument } from './plan.ts'

/** An API that answers requests in this process. */
export interface GeneratedApi {
  /** The API's document, created with `createDocument`. */
  readonly document: TestedDocument
  /** Answers a request, like `fetch` in the result of `implement`. */
  fetch(request: Request): Response | Promise<Response>
}

/** Which requests generated tests send. */
export interface GenerateOptions {
  /** The seed for the requests: the same seed makes the same requests; defaults to 0. */
  readonly seed?: number
  /**
   * The number of valid requests for each operation, at least 1; defaults to 50. Each constraint is broken a tenth as
   * often, and at least once. Requests that create resources for other requests are not counted.
   */
  readonly runs?: number
  /** A coverage report: only operations with uncovered parts are called, and requests aim at these parts. */
  readonly cover?: ContractReport
  /** Operation and test names to leave out; none by default. */
  readonly exclude?: readonly string[]
  /**
   * The credentials by security scheme, or a function that makes them before the first request. If a scheme has a
   * function instead, such as `{ oauth: ({ scopes }) => tokenWith(scopes) }`, requests with one scope too few must be
   * rejected.
   */
  readonly credentials?: TestCredentials | (() => TestSecrets | Promise<TestSecrets>)
  /** Runs once, before the first request. Returns path parameter values by name, for resources no operation creates. */
  readonly setup?: () => Setup | Promise<Setup>
  /** Receives every exchange, so the report shows what the tests covered. */
  readonly recorder?: ContractRecorder
  /** The path under which the operations are mounted, such as `/api`; none by default. */
  readonly basePath?: string
}

/** Credentials by security scheme, known before the first request. */
type TestSecrets = Readonly<Record<string, TestSecret>>

/** Path parameter values by name. */
export type Setup = Readonly<Record<string, string>> | undefined

/** A test for any test runner. */
export interface GeneratedTest {
  /** The name. It starts with the operation's name, or with the path if the test covers all its methods. */
  readonly name: string
  /** Runs the test. Rejects with a GeneratedTestError, which names the requests and the document's violated parts. */
  readonly run: () => Promise<void>
}

/** Throws a TypeError for an option of `generateTests` that is not valid. */
export function requireGenerateOptions(options: GenerateOptions): void {
  requireOptions<GenerateOptions>('generateTests', options, FORMS)
}

/** Throws a TypeError for credentials that are not valid, if they are known before the first request. */
export function requireKnownCredentials(
  { credentials = {} }: GenerateOptions,
  schemes: SecuritySchemes,
): void {
  if (typeof credentials !== 'function') requireCredentials(credentials, schemes)
}

/**
 * Returns credentials. Throws a TypeError unless they are a string per scheme, a pair for the scheme `basic`, or a
 * function that makes them.
 */
export function requireCredentials(
  credentials: TestCredentials,
  schemes: SecuritySchemes,
): TestCredentials {
  const given: unknown = credentials
  if (!isJsonObject(given)) throw credentialsFault('', 'an object with a string per scheme', given)
  for (const [name, value] of Object.entries(given)) {
    const scheme = own(schemes, name) as OpenAPI.SecurityScheme | undefined
    if (scheme === undefined) {
      const known = Object.keys(schemes).join(', ') || 'none'
      throw new TypeError(
        `generateTests: credentials.${name} is not a scheme of the document; expected ${known}`,
      )
    }
    const isBasic = scheme.type === 'http' && scheme.scheme.toLowerCase() === 'basic'
    const isPair = [own(value, 'username'), own(value, 'password')].every(isText)
    if (isText(value) || (isBasic && isPair) || typeof value === 'function') continue
    const pair = isBasic ? ', or an object with username and password' : ''
    throw credentialsFault(`.${name}`, `a string that is not empty${pair}, or a function`, value)
  }
  return credentials
}

/** Credentials are secret, so only their kind is shown. */
function credentialsFault(place: string, wanted: string, found: unknown): TypeError {
  const shown = found === '' ? 'an empty string' : kindOf(found)
  return new TypeError(`generateTests: credentials${place} must be ${wanted}, not ${shown}`)
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

const FORMS: Forms<GenerateOptions> = {
  seed: ['a whole number', Number.isSafeInteger],
  runs: whole(1),
  cover: ['a coverage report', (value) => Array.isArray(Object(value).operations)],
  exclude: STRINGS,
  // `requireCredentials` checks them.
  credentials: ['', () => true],
  setup: FUNCTION,
  recorder: ['a conformance recorder', (value) => typeof Object(value).middleware === 'function'],
  basePath: STRING,
}
