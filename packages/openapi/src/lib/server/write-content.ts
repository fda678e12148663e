import { FORM, isJson, isJsonObject, type KnownContent, MULTIPART } from '@plumbline/base'

type Content = KnownContent | ReadableStream | FormData

/**
 * Writes a body in its media type, named in lower case. Throws a TypeError for values the media type cannot carry.
 */
export function writeContent(body: unknown, name: string): Content {
  // A file may have any media type, including JSON's.
  if (isContent(body)) return body instanceof URLSearchParams ? String(body) : body
  if (isJson(name)) return writeJson(body)
  if (isJsonObject(body) && name === FORM) {
    return String(
      new URLSearchParams([...fieldsOf(body)].map(([field, value]) => [field, textOf(value)])),
    )
  }
  if (isJsonObject(body) && name === MULTIPART) return writeMultipart(body)
  return textOf(body)
}

function writeJson(body: unknown): string {
  const text: string | undefined = JSON.stringify(body)
  if (text === undefined) throw new TypeError('the body cannot be written as JSON')
  return text
}

/** Whether a body is bytes, a stream, a file or a form sent as it is. */
function isContent(body: unknown): body is Exclude<Content, string> | URLSearchParams {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false
  // Most bodies are objects of JSON. Without a look at their prototype, the checks take a third of the time to write them.
  if (Object.getPrototypeOf(body) === Object.prototype) return false
  return (
    ArrayBuffer.isView(body) ||
    [ArrayBuffer, Blob, ReadableStream, FormData, URLSearchParams].some(
      (Kind) => body instanceof Kind,
    )
  )
}

function writeMultipart(body: Readonly<Record<string, unknown>>): FormData {
  const form = new FormData()
  for (const [field, value] of fieldsOf(body)) {
    form.append(field, value instanceof Blob ? value : textOf(value))
  }
  return form
}

/** A form's fields: a list is one field per element. */
function* fieldsOf(body: Readonly<Record<string, unknown>>): Iterable<[string, unknown]> {
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue
    for (const one of Array.isArray(value) ? value : [value]) yield [name, one]
  }
}

function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? writeJson(value) : String(value)
}
