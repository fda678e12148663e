import { equal, FORM, isJson, MULTIPART, mediaTypeOf } from '@plumbline/base'
import type { Source } from '../source.ts'
import { KNOWN, type Parts } from './parts.ts'
import type { OperationPlan } from './plan.ts'
import { textOf } from './text.ts'
import { writeRequest } from './write.ts'

/**
 * Writes a request and reads its parts back. Returns whether they are those that were made: a line break in a multipart
 * form becomes CRLF, for example, and blanks around a header's value are removed.
 */
export async function arrivesUnchanged(
  source: Source,
  plan: OperationPlan,
  parts: Parts,
  basePath: string,
): Promise<boolean> {
  let request: Request
  try {
    request = writeRequest(plan, { ...parts, params: withoutKnown(parts.params) }, { basePath })
  } catch {
    // The value cannot be written, such as an empty segment of a path.
    return false
  }
  const found = source.find({ request }, basePath || undefined)
  if (found?.value.operationId !== plan.operation.operationId) return false
  const { searchParams } = new URL(request.url)
  const cookies = cookiesOf(request)
  return (
    areSame(parts.params, (name) => [found.params[name] ?? null]) &&
    areSame(parts.query, (name) => searchParams.getAll(name)) &&
    areSame(parts.cookies, (name) => [cookies.get(name) ?? null]) &&
    areSame(parts.headers, (name, isList) => {
      const text = request.headers.get(name)
      return isList && text !== null ? text.split(',').map((one) => one.trim()) : [text]
    }) &&
    (parts.body === null || (await isSameBody(request, parts.body)))
  )
}

/** Fills in the path parameters not known yet. */
function withoutKnown(params: Parts['params']): Parts['params'] {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, value === KNOWN ? 'known-id' : value]),
  )
}

function areSame(
  values: Parts['query'],
  read: (name: string, isList: boolean) => readonly (string | null)[],
): boolean {
  return Object.entries(values).every(([name, value]) => {
    if (value === KNOWN || value === undefined) return true
    const texts = (Array.isArray(value) ? value : [value]).map(String)
    // A list without elements is absent.
    return texts.length > 0 && equal(read(name, Array.isArray(value)), texts)
  })
}

function cookiesOf({ headers }: Request): ReadonlyMap<string, string> {
  const pairs = headers.get('Cookie')?.split('; ') ?? []
  return new Map(
    pairs.map((pair) => {
      const equals = pair.indexOf('=')
      return [pair.slice(0, equals), decodeURIComponent(pair.slice(equals + 1))]
    }),
  )
}

async function isSameBody(
  request: Request,
  { plan, value }: NonNullable<Parts['body']>,
): Promise<boolean> {
  const type = mediaTypeOf(plan.type)
  if (value instanceof Blob) return (await request.arrayBuffer()).byteLength === value.size
  if (type === FORM || type === MULTIPART) return isSameForm(await request.formData(), value)
  const text = await request.text()
  return isJson(type) ? equal(JSON.parse(text), value) : text === String(value)
}

async function isSameForm(form: FormData, value: unknown): Promise<boolean> {
  const sent = Object.entries(Object(value)).flatMap(([name, one]): [string, unknown][] =>
    (Array.isArray(one) ? one : [one]).map((element) => [name, element]),
  )
  const received = [...form]
  if (received.length !== sent.length) return false
  for (const [at, [name, one]] of sent.entries()) {
    const [field, content] = received[at] ?? []
    const isSame =
      one instanceof Blob
        ? content instanceof Blob && content.size === one.size && content.type === one.type
        : textOf(one) === (content instanceof Blob ? await content.text() : content)
    if (field !== name || !isSame) return false
  }
  return true
}
