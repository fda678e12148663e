import { copyPlain, defined, FORM, isJson, mediaTypeOf, setOwn } from '@plumbline/base'
import { pointerOf } from '@plumbline/problem/core'
import { MEDIA_TYPE_JSON } from '../constants.ts'
import { fileRangesOf } from '../http/body-ranges.ts'
import type * as OpenAPI from '../openapi.ts'
import type { AnyOperation } from '../operation.ts'
import { holdsFile, isFile } from '../schema/binary.ts'
import { acceptsUndefined } from '../schema/run-schema.ts'
import { isSchema, type Schema } from '../schema/standard-schema.ts'
import { isZodObject, isZodWithoutFile } from '../schema/zod.ts'
import { isDeprecation } from '../spec/deprecation.ts'
import type { BodySpec, Examples, OperationSpec, ResponseSpec } from '../spec/operation-spec.ts'
import type { PreparedRoute } from '../spec/route.ts'
import { undefinedScopes } from '../spec/scopes.ts'
import { convertOnce } from './components/convert.ts'
import { useSchema } from './components/schemas.ts'
import type { SchemaPlace } from './components/write.ts'
import type { DocumentContext } from './context.ts'
import { problemsOf } from './defaults.ts'
import { createHeaderCheck, describeParameters } from './describe-parameters.ts'
import { joinProblems, mergeProblems, problemsByStatus } from './describe-problems.ts'
import { describeStream } from './describe-stream.ts'
import { describeCallbacks } from './describe-webhooks.ts'
import { describeEncoding } from './encoding.ts'
import { describeExamples, examplesOf } from './examples.ts'
import type { FaultPlace } from './faults.ts'

/** Describes one operation (OpenAPI 3.1.1 §4.8.10). */
export function describeOperation(
  { operationId, spec }: Pick<AnyOperation, 'operationId' | 'spec'>,
  route: PreparedRoute,
  { pointer }: FaultPlace,
  context: DocumentContext,
): OpenAPI.Operation {
  const { tags, summary, description, externalDocs, deprecated, security, body } = spec
  const at = (field: keyof OpenAPI.Operation): SchemaPlace => ({
    operationId,
    pointer: `${pointer}/${field}`,
    steps: [operationId],
  })
  for (const requirement of security ?? []) {
    checkRequirement(requirement, at('security'), context)
  }
  if (!isDeprecation(deprecated)) context.report(at('deprecated'), { code: 'invalid-deprecation' })
  const parameters = describeParameters(spec, route, { ...context, ...at('parameters') })
  const requestBody = body && describeBody(body, at('requestBody'), context, spec.examples?.body)
  const responses = describeResponses(spec, route, at('responses'), context)
  return defined({
    tags: tags && [...tags],
    summary,
    description,
    externalDocs: externalDocs && copyPlain(externalDocs),
    operationId,
    parameters: parameters.length > 0 ? parameters : undefined,
    requestBody,
    // OpenAPI 3.1.1 §4.8.10.1 and §4.8.16: the field is optional, and has at least one response.
    responses: Object.keys(responses).length > 0 ? responses : undefined,
    callbacks: describeCallbacks(spec, route, at('callbacks'), context, describeOperation),
    deprecated: deprecated === undefined ? undefined : deprecated !== false,
    security: security && copyPlain(security),
    servers: route.origin === null ? undefined : [{ url: route.origin }],
  })
}

/** Reports the schemes and scopes in a security requirement that the document does not define. */
export function checkRequirement(
  requirement: OpenAPI.SecurityRequirement,
  place: { readonly operationId: string | null; readonly pointer: string },
  { securitySchemes, report }: Pick<DocumentContext, 'securitySchemes' | 'report'>,
): void {
  for (const [name, scopes] of Object.entries(requirement)) {
    const scheme = Object.hasOwn(securitySchemes, name) ? securitySchemes[name] : undefined
    if (!scheme) report(place, { code: 'unknown-security-scheme', name })
    for (const scope of undefinedScopes(name, scheme, scopes)) {
      report(place, { code: 'unknown-scope', scheme: name, name: scope })
    }
  }
}

function describeBody(
  body: BodySpec,
  place: SchemaPlace,
  context: DocumentContext,
  examples: Examples | undefined,
): OpenAPI.RequestBody {
  const here = { ...place, steps: [...place.steps, 'Body'] }
  const content = describeContent(body, here, context, { encode: describeEncoding, examples })
  // The parser has the same rule for a request without a body.
  const schemas = isSchema(body) ? [body] : Object.values(body)
  // zod objects always reject undefined. Validating would compile the schema, a tenth of the build time.
  const isOptional = schemas.some((schema) => !isZodObject(schema) && acceptsUndefined(schema))
  return { content, required: !isOptional }
}

function describeContent(
  body: BodySpec,
  place: SchemaPlace,
  context: DocumentContext,
  {
    // OpenAPI 3.1.1 §4.8.14.1: `encoding` is only for request bodies.
    encode = () => ({}),
    examples,
  }: { readonly encode?: typeof describeEncoding; readonly examples?: Examples | undefined },
): Record<string, OpenAPI.MediaType> {
  const { components, report } = context
  const types = isSchema(body)
    ? Object.fromEntries(typesOf(body, place, context).map((type) => [type, body]))
    : body
  const known = new Map<string, string>()
  const content: Record<string, OpenAPI.MediaType> = {}
  for (const [type, schema] of Object.entries(types)) {
    const pointer = `${place.pointer}${pointerOf(['content', type])}`
    if (!MEDIA_TYPE.test(type)) {
      report({ ...place, pointer }, { code: 'invalid-media-type', type })
    }
    // Parameters and letter case do not select a request's body.
    const name = mediaTypeOf(type)
    const other = known.get(name)
    if (other !== undefined) {
      report({ ...place, pointer }, { code: 'duplicate-media-type', type, other })
    }
    known.set(name, type)
    const use = useSchema(components, schema, { ...place, pointer: `${pointer}/schema` })
    const json = components.conversions.get(schema)?.json
    if ((name === FORM || isJson(name)) && json !== undefined && holdsFile(json)) {
      report({ ...place, pointer }, { code: 'file-in-text', type })
    }
    const chosen = examplesOf(examples, type, known.size === 1)
    const mediaType = defined({
      schema: use as OpenAPI.Schema,
      examples: describeExamples(chosen, schema, { ...place, pointer }, report),
      ...encode(type, schema, json ?? {}),
    })
    setOwn(content, type, mediaType)
  }
  if (known.size === 0) report(place, { code: 'empty-body' })
  return content
}

/** The media types for a single-schema body: the file's media types, or JSON. */
function typesOf(
  schema: Schema,
  place: SchemaPlace,
  { components, report }: DocumentContext,
): readonly string[] {
  const json = [MEDIA_TYPE_JSON]
  if (isZodWithoutFile(schema)) return json
  const pointer = `${place.pointer}${pointerOf(['content', MEDIA_TYPE_JSON, 'schema'])}`
  const conversion = convertOnce(components, schema, (fault, inner, cause) => {
    // `useSchema` reports the others, because it converts the schema again.
    if (fault.code !== 'inexact-json-schema') return
    report({ ...place, pointer: `${pointer}${inner}` }, fault, cause)
  })
  return conversion !== null && isFile(conversion.json) ? fileRangesOf(conversion.json) : json
}

function describeResponses(
  spec: OperationSpec,
  route: PreparedRoute,
  place: SchemaPlace,
  context: DocumentContext,
): Record<string, OpenAPI.Response | OpenAPI.Reference> {
  const { responses = {}, problems = [] } = spec
  const { catalog, report } = context
  const described: Record<string, OpenAPI.Response | OpenAPI.Reference> = {}
  for (const [status, response] of Object.entries(responses)) {
    const pointer = `${place.pointer}${pointerOf([status])}`
    const here = { ...place, pointer, steps: [...place.steps, status] }
    if (!STATUS.test(status)) report(here, { code: 'invalid-status', status })
    if (response === undefined) continue
    setOwn(described, status, describeResponse(response, here, context))
    for (const [name, link] of Object.entries(response.links ?? {})) {
      const linked = { ...here, pointer: `${pointer}${pointerOf(['links', name])}` }
      context.afterPaths((paths) => {
        const reasons = link.findFaults({ spec, route, responses: [response] }, paths)
        for (const reason of reasons) report(linked, { code: 'invalid-link', reason })
      })
    }
  }
  for (const name of problems) {
    if (Object.hasOwn(catalog, name)) continue
    report(place, { code: 'unknown-problem', name })
  }
  const names = [...problemsOf(spec, catalog, context).keys()]
  for (const [status, group] of problemsByStatus(names, catalog)) {
    const own = Object.hasOwn(described, status) ? described[status] : undefined
    const joined = own === undefined ? null : joinProblems(own, group, catalog)
    if (own !== undefined && joined === null) {
      report(
        { ...place, pointer: `${place.pointer}/${status}` },
        { code: 'duplicate-status', status: String(status) },
      )
    }
    described[status] = joined ?? mergeProblems(group, catalog)
  }
  return described
}

function describeResponse(
  { description, body, stream, headers, examples, links }: ResponseSpec,
  place: SchemaPlace,
  context: DocumentContext,
): OpenAPI.Response {
  return defined({
    description,
    headers: headers && describeHeaders(headers, place, context),
    content:
      body || stream
        ? {
            ...(body && describeContent(body, place, context, { examples })),
            ...(stream && describeStream(stream, place, context.components, context.itemKeyword)),
          }
        : undefined,
    links: links && describeLinks(links),
  })
}

function describeLinks(links: NonNullable<ResponseSpec['links']>): Record<string, OpenAPI.Link> {
  return Object.fromEntries(
    Object.entries(links).map(([name, { findFaults: _, ...link }]) => [name, copyPlain(link)]),
  )
}

function describeHeaders(
  headers: NonNullable<ResponseSpec['headers']>,
  place: SchemaPlace,
  { components, report }: DocumentContext,
): Record<string, OpenAPI.Header> {
  const checkName = createHeaderCheck()
  return Object.fromEntries(
    Object.entries(headers).map(([name, { schema, description, required, examples }]) => {
      const header = `${place.pointer}${pointerOf(['headers', name])}`
      const pointer = `${header}/schema`
      const fault = checkName(name)
      if (fault !== null) report({ ...place, pointer }, fault)
      const use = useSchema(components, schema, {
        ...place,
        pointer,
        steps: [...place.steps, name],
      })
      const here = { ...place, pointer: header }
      const described = describeExamples(examples, schema, here, report)
      const written = { description, required, schema: use as OpenAPI.Schema, examples: described }
      return [name, defined(written)]
    }),
  )
}

const STATUS = /^(?:[1-5]\d\d|[1-5]XX|default)$/
const MEDIA_TYPE = /^(?:\*\/\*|[\w!#$&^.+-]+\/(?:\*|[\w!#$&^.+-]+))(?:\s*;.*)?$/
