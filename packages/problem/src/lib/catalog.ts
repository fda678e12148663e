import {
  type DeclaredMembers,
  type Extensions,
  type ExtensionsInput,
  findDeclared,
} from './extensions.ts'
import { MEDIA_TYPE_PROBLEM } from './media-type.ts'
import type { TypeUri } from './type-uri.ts'

/** A problem type in a catalog. */
export interface ProblemSpec {
  /** A URI reference; resolved against the catalog's base, it is the problem's `type`. */
  readonly slug: string
  /** The response's HTTP status code: 200 to 599, except 204, 205 and 304 (without content). */
  readonly status: number
  /** A short summary of the problem type, the same for every occurrence. */
  readonly title: string
  /**
   * The extension members, as an object schema or a record with a schema for each member. Undeclared members are not
   * sent. Empty by default.
   */
  readonly extensions?: Extensions
}

/** Standard members for any problem document (RFC 9457 §3.1). */
export interface ProblemDetails {
  /** The problem type's URI. */
  readonly type: string
  /** The problem type's short summary. */
  readonly title: string
  /** The response's HTTP status code. */
  readonly status: number
  /** Explains this occurrence to people. */
  readonly detail?: string
  /** A URI reference identifying this occurrence. */
  readonly instance?: string
}

/** The members and headers for one occurrence. */
export type ProblemOptions<Spec extends ProblemSpec = ProblemSpec> = {
  /** Explains this occurrence to people. */
  readonly detail?: string
  /** A URI reference identifying this occurrence. */
  readonly instance?: string
  /** Response headers; `Content-Type` cannot be changed. */
  readonly headers?: HeadersInit
} & ExtensionsOption<Spec>

type ExtensionsOption<Spec extends ProblemSpec> = Spec extends {
  readonly extensions: infer Declared extends Extensions
}
  ? Empty extends ExtensionsInput<Declared>
    ? { readonly extensions?: ExtensionsInput<Declared> }
    : { readonly extensions: ExtensionsInput<Declared> }
  : { readonly extensions?: never }

type Empty = Record<never, never>

/** A problem type's properties. */
export interface ProblemType {
  /** The problem type's URI. */
  readonly type: string
  /** The URI reference before it is resolved against the catalog's base. */
  readonly slug: string
  /** The response's HTTP status code. */
  readonly status: number
  /** The problem type's short summary. */
  readonly title: string
  /** The extension members' schema, or their schemas by name; undefined if none are declared. */
  readonly extensions: Extensions | undefined
}

/** A problem type in a catalog; calling it returns a problem response. */
export type ProblemEntry<Spec extends ProblemSpec = ProblemSpec, Base extends string = string> = ((
  ...options: Arguments<Spec>
) => Response) &
  ProblemType & { readonly status: Spec['status']; readonly type: TypeUri<Base, Spec['slug']> }

type Arguments<Spec extends ProblemSpec> =
  Empty extends ProblemOptions<Spec>
    ? [options?: ProblemOptions<Spec>]
    : [options: ProblemOptions<Spec>]

/** Problem types by name, as `defineProblems` returns them for a base. */
export type ProblemCatalog<
  Specs extends Readonly<Record<string, ProblemSpec>>,
  Base extends string = string,
> = {
  readonly [Name in keyof Specs]: ProblemEntry<Specs[Name], Base>
}

/** A catalog with any problem types. */
export type AnyProblemCatalog = Readonly<
  Record<string, ((...options: never) => Response) & ProblemType>
>

/**
 * Defines a catalog of problem types. Calling an entry returns its problem response.
 *
 * A problem's `type` is its slug resolved against `base`, to which a missing trailing slash is added. It is a literal
 * type if the URL parser keeps every character of both. Throws a TypeError for an invalid catalog: a base that is not
 * absolute, a status without content, two entries with the same type, or an extension with a standard member's name.
 *
 * @example
 * ```ts
 * import { defineProblems } from '@plumbline/problem'
 * import { z } from 'zod'
 *
 * const problems = defineProblems('https://example.com/problems', {
 *   outOfCredit: {
 *     slug: 'out-of-credit',
 *     status: 403,
 *     title: 'Not enough credit',
 *     extensions: z.object({ balance: z.number() }),
 *   },
 * })
 * const response = problems.outOfCredit({ detail: 'It costs 50.', extensions: { balance: 30 } })
 * await response.json() //=> {
 * //     type: 'https://example.com/problems/out-of-credit',
 * //     title: 'Not enough credit',
 * //     status: 403,
 * //     detail: 'It costs 50.',
 * //     balance: 30,
 * //   }
 * ```
 * @see RFC 9457 §3
 */
export function defineProblems<
  const Specs extends Readonly<Record<string, ProblemSpec>>,
  const Base extends string = string,
>(base: Base | URL, entries: Specs): ProblemCatalog<Specs, Base> {
  const root = parseBase(base)
  const named = new Map<string, string>()
  const catalog = Object.entries(entries).map(([name, spec]) => {
    const entry = defineEntry(root, name, spec)
    const other = named.get(entry.type)
    if (other !== undefined) {
      throw new TypeError(`problems ${other} and ${name} have the same type ${entry.type}`)
    }
    named.set(entry.type, name)
    return [name, entry] as const
  })
  // `TypeUri` is the entry's URI: type-uri.test.ts compares it with the URL parser.
  return Object.freeze(Object.fromEntries(catalog)) as unknown as ProblemCatalog<Specs, Base>
}

function parseBase(base: string | URL): URL {
  if (!URL.canParse(base)) throw new TypeError(`the base of a catalog must be absolute: ${base}`)
  const root = new URL(base)
  if (!root.pathname.endsWith('/')) root.pathname += '/'
  return root
}

function defineEntry(base: URL, name: string, spec: ProblemSpec): ProblemEntry {
  const { slug, status, title, extensions } = spec
  if (!allowsContent(status)) {
    throw new TypeError(
      `problem ${name}: status must be an HTTP status that allows content, not ${status}`,
    )
  }
  if (!URL.canParse(slug, base))
    throw new TypeError(`problem ${name}: ${slug} is not a valid URI reference`)
  const declared = findDeclared(extensions)
  const reserved = [...declared.names].find((member) => STANDARD.has(member))
  if (reserved)
    throw new TypeError(`problem ${name}: the extension ${reserved} is a standard member`)
  const type = new URL(slug, base).href
  const answer = ({
    detail,
    instance,
    extensions: own = {},
    headers,
  }: Occurrence = {}): Response => {
    // JSON.stringify omits undefined members.
    const body = { type, title, status, detail, instance, ...selectDeclared(own, declared) }
    const sent = new Headers(headers)
    sent.set('Content-Type', MEDIA_TYPE_PROBLEM)
    return new Response(JSON.stringify(body), { status, headers: sent })
  }
  return Object.freeze(Object.assign(answer, { type, slug, status, title, extensions }))
}

// RFC 9110 §15.2, §15.3.5, §15.3.6 and §15.4.5: responses with these statuses do not have content.
function allowsContent(status: number): boolean {
  if (!Number.isInteger(status) || status < 200 || status > 599) return false
  return status !== 204 && status !== 205 && status !== 304
}

/** Selects the declared extensions, so a record's other members are not sent. */
function selectDeclared(own: object, { names, isOpen }: DeclaredMembers): object {
  const isSent = (name: string) => (isOpen ? !STANDARD.has(name) : names.has(name))
  return Object.fromEntries(Object.entries(own).filter(([name]) => isSent(name)))
}

interface Occurrence {
  readonly detail?: string
  readonly instance?: string
  readonly headers?: HeadersInit
  readonly extensions?: object
}

const STANDARD: ReadonlySet<string> = new Set(['type', 'title', 'status', 'detail', 'instance'])
