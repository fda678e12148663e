import {
  type DeclaredMembers,
  type Extensions,
  type ExtensionsInput,
  findDeclared,
} from './extensions.ts'
import { MEDIA_TYPE_PROBLEM } from './media-type.ts'
import type { TypeUri } from './type-uri.ts'

/** One problem type of a catalog. */
export interface ProblemSpec {
  /** A URI reference; resolved against the catalog's base, it is the `type` of the problem. */
  readonly slug: string
  /** The HTTP status code of the response: 200 to 599, except 204, 205 and 304 (without content). */
  readonly status: number
  /** A short summary of the problem type, the same for every occurrence. */
  readonly title: string
  /**
   * The extension members, the only members that are sent: an object schema, or a record with a schema
   * for each member. Empty by default.
   */
  readonly extensions?: Extensions
}

/** The members that every problem document may have (RFC 9457 §3.1). */
export interface ProblemDetails {
  /** The URI of the problem type. */
  readonly type: string
  /** A short summary of the problem type. */
  readonly title: string
  /** The HTTP status code of the response. */
  readonly status: number
  /** An explanation of this occurrence for people. */
  readonly detail?: string
  /** A URI reference that identifies this occurrence. */
  readonly instance?: string
}

/** The members and headers for one occurrence of a problem. */
export type ProblemOptions<Spec extends ProblemSpec = ProblemSpec> = {
  /** An explanation of this occurrence for people. */
  readonly detail?: string
  /** A URI reference that identifies this occurrence. */
  readonly instance?: string
  /** Headers of the response; `Content-Type` cannot be changed. */
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
  /** The URI of the problem type. */
  readonly type: string
  /** The URI reference that was resolved against the catalog's base. */
  readonly slug: string
  /** The HTTP status code of the response. */
  readonly status: number
  /** A short summary of the problem type. */
  readonly title: string
  /** The schema of the extension members, or their schemas by name; undefined if it does not have any. */
  readonly extensions: Extensions | undefined
}

/** One problem type of a catalog; a call returns a problem response. */
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
 * Defines a catalog of problem types. A call of an entry returns the response of that problem.
 *
 * The `type` of a problem is its slug resolved against `base`, to which a missing trailing slash is
 * added. It is a literal type if the URL parser keeps every character of both. Throws a TypeError for an invalid catalog: a base that is not absolute, a status without
 * content, two entries of one type, or an extension with a standard member's name.
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
  // `TypeUri` is the URI of the entry: type-uri.test.ts compares it with the URL parser.
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
    // JSON.stringify omits members that are undefined.
    const body = { type, title, status, detail, instance, ...selectDeclared(own, declared) }
    const sent = new Headers(headers)
    sent.set('Content-Type', MEDIA_TYPE_PROBLEM)
    return new Response(JSON.stringify(body), { status, headers: sent })
  }
  return Object.freeze(Object.assign(answer, { type, slug, status, title, extensions }))
}

// RFC 9110 §15.2, §15.3.5, §15.3.6 and §15.4.5: responses of these statuses do not have content.
function allowsContent(status: number): boolean {
  if (!Number.isInteger(status) || status < 200 || status > 599) return false
  return status !== 204 && status !== 205 && status !== 304
}

/** Selects the declared extensions, so other members of a record are not sent. */
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
