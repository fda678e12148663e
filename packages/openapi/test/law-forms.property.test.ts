import { createDocument, defineOperation, type OpenAPI } from '@plumbline/openapi'
import { isFailure, unwrap } from '@plumbline/result'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Field, fieldsOf, formed, objectsOf, parted } from './contracts.ts'
import { type Library, libraries } from './libraries.ts'
import { anyText, REJECTED, readings, type Validator, validatorOf } from './oracle.ts'

const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'
const JSON_TYPE = 'application/json'

/** A field of a form: a string, or a file with its content. */
type Part = string | Upload

interface Upload {
  readonly file: File
  readonly text: string
}

/** How a client sends one field. */
interface Manner {
  readonly as: 'text' | 'blob' | 'file'
  /** Whether a list of JSON values is sent as one array. */
  readonly isWhole: boolean
  readonly fault: 'none' | 'cut' | 'picture' | 'raw' | 'twice'
}

const manners: fc.Arbitrary<Manner> = fc.record({
  as: fc.constantFrom('text', 'blob', 'file'),
  isWhole: fc.boolean(),
  fault: fc.oneof(
    { weight: 25, arbitrary: fc.constant('none' as const) },
    { weight: 1, arbitrary: fc.constantFrom('cut', 'picture', 'raw', 'twice') },
  ),
})

const casesOf = ({ unitOf, fieldsFor }: Library) =>
  fc
    .constantFrom(FORM, MULTIPART)
    .chain((type) =>
      fieldsOf(type === FORM ? formed : parted, 'f').map((fields) => ({
        type,
        fields: fieldsFor(fields),
      })),
    )
    .chain(({ type, fields }) =>
      fc.record({
        type: fc.constant(type),
        fields: fc.constant(fields),
        requests: fc.array(
          fc.record({
            values: objectsOf(fields, unitOf(anyText)),
            manners: fc.array(manners, { minLength: fields.length, maxLength: fields.length }),
          }),
          { minLength: 6, maxLength: 6 },
        ),
      }),
    )

describe.each(libraries)('the form law, for $name schemas', (library) => {
  it('parse accepts the forms that the document accepts, with the described values, and rejects all others', async () => {
    const seen = { [FORM]: [0, 0], [MULTIPART]: [0, 0] }
    await fc.assert(
      fc.asyncProperty(casesOf(library), async ({ type, fields, requests }) => {
        const { operation, document } = prepare(type, fields, library)
        const described = await describedOf(document, type)
        for (const { values, manners } of requests) {
          const sent = fields.map(({ name }, at) => {
            const parts = partsOf(described.get(name), values[name], manners[at])
            return type === FORM ? parts.map(textOf) : parts
          })
          const expected = fields.map((field, at) =>
            interpretationOf(field, described.get(field.name), sent[at] ?? []),
          )
          const result = await operation.parse(requestOf(type, fields, sent))
          const rejected = fields.filter((_, at) => expected[at] === REJECTED)
          const counts = seen[type as keyof typeof seen]
          if (rejected.length > 0) {
            counts[1] = (counts[1] ?? 0) + 1
            if (!isFailure(result)) throw new Error(`parsed ${rejected.map(({ name }) => name)}`)
            expect(result.error).toMatchObject({ location: 'body', code: 'invalid' })
            const names = result.error.issues.map(({ path }) => path?.[0])
            expect(rejected.map(({ name }) => name)).toEqual(expect.arrayContaining(names))
          } else {
            counts[0] = (counts[0] ?? 0) + 1
            const entries = fields.flatMap(({ name }, at) =>
              expected[at] === undefined ? [] : [[name, expected[at]]],
            )
            expect(filesByName(unwrap(result).body)).toEqual(
              filesByName(Object.fromEntries(entries)),
            )
          }
        }
      }),
      { numRuns: RUNS },
    )
    // Enough requests of each media type were accepted, and enough were rejected.
    for (const count of Object.values(seen).flat()) expect(count).toBeGreaterThan(RUNS / 10)
  })
})

const RUNS = Number(process.env.LAW_RUNS ?? 20)

function prepare(type: string, fields: readonly Field[], { objectOf }: Library) {
  const operation = defineOperation(
    'send',
    { method: 'POST', pattern: '/x' },
    {
      summary: 'Send',
      body: { [type]: objectOf(fields, 'body') },
      responses: { 204: { description: 'Done' } },
    },
  )
  const builder = createDocument({ info: { title: 'Law', version: '1' } }).add(operation)
  return { operation, document: unwrap(builder.build()) }
}

/** The description of one field. */
interface Described {
  readonly accepts: Validator
  readonly isRequired: boolean
  readonly contentType: unknown
}

async function describedOf(
  document: OpenAPI.Document,
  type: string,
): Promise<ReadonlyMap<string, Described>> {
  const requestBody = document.paths?.['/x']?.post?.requestBody
  if (!requestBody || !('content' in requestBody)) throw new Error('no body')
  const { schema, encoding = {} } = requestBody.content[type] ?? {}
  const { properties = {}, required = [] } = Object(schema)
  const described = new Map<string, Described>()
  for (const [name, property] of Object.entries(properties)) {
    described.set(name, {
      accepts: await validatorOf(document, Object(property)),
      isRequired: required.includes(name),
      contentType: Object(encoding[name]).contentType,
    })
  }
  return described
}

/** Sends a value as the document describes it (OpenAPI 3.1.1 §4.8.15), or with a deviation. */
function partsOf(
  described: Described | undefined,
  value: unknown,
  manner?: Manner,
): readonly Part[] {
  if (value === undefined || manner === undefined) return []
  const isJson = described?.contentType === JSON_TYPE
  const items = Array.isArray(value) && !(isJson && manner.isWhole) ? value : [value]
  const parts = items.map((item) => partOf(item, isJson, manner))
  return manner.fault === 'twice' ? [...parts, ...parts] : parts
}

function partOf(value: unknown, isJson: boolean, { as, fault }: Manner): Part {
  if (value instanceof File) return { file: value, text: FILE_TEXT }
  const isStructured = isJson || (typeof value === 'object' && value !== null)
  if (!isStructured) return String(value)
  if (fault === 'raw') return '[object Object]'
  const whole = JSON.stringify(value)
  const text = fault === 'cut' ? whole.slice(0, -1) : whole
  if (fault === 'picture') return upload(text, 'image/png')
  if (as === 'text') return text
  return upload(text, as === 'blob' ? JSON_TYPE : 'Application/x+JSON; charset=utf-8')
}

const FILE_TEXT = '{}'

function upload(text: string, type: string): Upload {
  return { file: new File([text], 'blob', { type }), text }
}

function textOf(part: Part): string {
  return typeof part === 'string' ? part : part.text
}

function requestOf(
  type: string,
  fields: readonly Field[],
  sent: readonly (readonly Part[])[],
): Request {
  const form = type === FORM ? new URLSearchParams() : new FormData()
  for (const [at, { name }] of fields.entries()) {
    for (const part of sent[at] ?? []) {
      if (typeof part !== 'string' && form instanceof FormData) form.append(name, part.file)
      else form.append(name, textOf(part))
    }
  }
  return new Request('http://h/x', { method: 'POST', body: form })
}

/** The only interpretation of a field that the document accepts; undefined if it is optional and absent. */
function interpretationOf(
  { kind }: Field,
  described: Described | undefined,
  sent: readonly Part[],
): unknown {
  if (!described) throw new Error('the document does not have a field')
  const isFile = kind.kind === 'file' || (kind.kind === 'array' && kind.of.kind === 'file')
  // An empty string is a file input without a file (HTML §4.10.21.8), as some runtimes read it.
  const parts = isFile ? sent.filter((part) => part !== '') : sent
  if (parts.length === 0) return described.isRequired ? REJECTED : undefined
  const each = parts.map((part) => (isFile ? filesOf(part) : valuesOf(part, described)))
  const listed = each.reduce<readonly unknown[][]>(
    (before, values) => before.flatMap((list) => values.map((value) => [...list, value])),
    [[]],
  )
  // In a list of lists each part is an inner list, if it can be one. A schema of files does not describe
  // values (OpenAPI 3.1.1 §4.8.14.5), so a list of one file is not among its interpretations.
  const [only = []] = parts.length === 1 ? each : []
  const whole = only.filter((value) => mayBeWhole(value, kind))
  const all = kind.kind === 'file' ? whole : [...whole, ...listed]
  const accepted = all.filter((value) => described.accepts(filesByName(value)))
  expect(accepted.length).toBeLessThan(2)
  return accepted.length === 0 ? REJECTED : accepted[0]
}

/** Whether JSON is a whole list of lists: only if it cannot be one of the inner lists. */
function mayBeWhole(value: unknown, kind: Field['kind']): boolean {
  if (kind.kind !== 'array' || kind.of.kind !== 'array') return true
  return kind.of.of.kind !== 'array' && Array.isArray(value) && value.some(Array.isArray)
}

function filesOf(part: Part): readonly unknown[] {
  return typeof part === 'string' ? [] : [part.file]
}

/** The values of a part. JSON is parsed. Without a media type, an object is JSON and a string is itself. */
function valuesOf(part: Part, { contentType }: Described): readonly unknown[] {
  const json = typeof part === 'string' || /json/i.test(part.file.type) ? jsonOf(part) : []
  if (contentType === JSON_TYPE) return json
  const objects = json.filter((value) => typeof value === 'object' && value !== null)
  return typeof part === 'string' ? [...readings(part), ...objects] : objects
}

function jsonOf(part: Part): readonly unknown[] {
  try {
    return [JSON.parse(textOf(part))]
  } catch {
    return []
  }
}

/** Replaces each file with its name, because two files are never equal. */
function filesByName(value: unknown): unknown {
  if (value instanceof File) return `the file ${value.name}`
  if (Array.isArray(value)) return value.map(filesByName)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, filesByName(member)]),
  )
}
