import { type Components, own } from '@plumbline/base'
import type { DocumentBuilder, OpenAPI, SecuritySchemes } from '@plumbline/openapi'
import { pointerOf } from '@plumbline/problem/core'
import { unwrap } from '@plumbline/result'
import { isForOthers } from '../members/parameters.ts'
import type { Source, SourceOperation } from '../source.ts'

/** The document from which tests are generated. */
export type TestedDocument = Pick<
  DocumentBuilder,
  'build' | 'operations' | 'problems' | 'servers' | 'securitySchemes' | 'security' | 'defaults'
>

/** A document's operations, as tests need them. */
export interface DocumentPlan {
  readonly plans: readonly OperationPlan[]
  readonly components: Components
  readonly schemes: SecuritySchemes
}

/** One operation's contract, as shown in the document. */
export interface OperationPlan {
  readonly operation: SourceOperation
  /** In lower case. */
  readonly method: string
  /** The path with variables as `{name}`. */
  readonly path: string
  /** The path variables that match several segments, or none. */
  readonly wildcards: readonly string[]
  /** The pointer to the operation in the document. */
  readonly pointer: string
  readonly parameters: readonly ParameterPlan[]
  readonly bodies: readonly BodyPlan[]
  readonly isBodyRequired: boolean
  /** The security requirements. A request must satisfy one. */
  readonly security: readonly OpenAPI.SecurityRequirement[]
  /** The statuses and ranges the operation's own responses and problems declare, without default problems. */
  readonly ownStatuses: readonly string[]
}

/** An operation's parameter. */
export interface ParameterPlan {
  readonly location: 'params' | 'query' | 'headers' | 'cookies'
  readonly name: string
  readonly isRequired: boolean
  readonly schema: unknown
  readonly pointer: string
}

/** A body with one media type or range. */
export interface BodyPlan {
  readonly type: string
  readonly schema: unknown
  /** The pointer to the schema. */
  readonly pointer: string
}

/** Reads a document's operations and named schemas. Throws an OpenAPIBuildError if it cannot be built. */
export function planOperations(source: Source): DocumentPlan {
  const document = source.build()
  if (document === null) throw new TypeError('generateTests: the document cannot be built')
  const { paths, components, security } = unwrap(document)
  const plans = source.operations().flatMap((operation): OperationPlan[] => {
    const { method, path } = operation
    const described = paths?.[path as '/']?.[method as OpenAPI.Method]
    // A webhook is not below `paths`.
    return described ? [planOperation(operation, described, security ?? [])] : []
  })
  const schemes = Object(components?.securitySchemes)
  return { plans, components: Object(components?.schemas), schemes }
}

function planOperation(
  operation: SourceOperation,
  described: OpenAPI.Operation,
  security: readonly OpenAPI.SecurityRequirement[],
): OperationPlan {
  const { method, path, pattern, responses, problems } = operation
  const pointer = pointerOf(['paths', path, method])
  // A GET request cannot have a body.
  const hasBody = method !== 'get' && method !== 'head'
  const content = hasBody ? Object.entries(Object(own(described.requestBody, 'content'))) : []
  const named = [...problems.values()].flat().filter(({ isDefault }) => !isDefault)
  return {
    operation,
    method,
    path,
    wildcards: [...pattern.matchAll(WILDCARD)].map(([, name = '']) => name),
    pointer,
    // The builder does not write references to parameters.
    parameters: (described.parameters ?? []).flatMap((one, at) =>
      isForOthers(one as OpenAPI.Parameter)
        ? []
        : [planParameter(one as OpenAPI.Parameter, `${pointer}/parameters/${at}`)],
    ),
    bodies: content.map(([type, media]) => ({
      type,
      schema: own(media, 'schema'),
      pointer: `${pointer}/requestBody${pointerOf(['content', type, 'schema'])}`,
    })),
    isBodyRequired: hasBody && own(described.requestBody, 'required') === true,
    security: described.security ?? security,
    ownStatuses: [...responses.keys(), ...named.map(({ status }) => String(status))],
  }
}

function planParameter(
  { name, in: location, required, schema }: OpenAPI.Parameter,
  pointer: string,
): ParameterPlan {
  return {
    name,
    location: LOCATIONS[location],
    isRequired: required === true,
    schema,
    pointer: `${pointer}/schema`,
  }
}

const WILDCARD = /(?<!\\)\*([A-Za-z_$][\w$]*)/g
const LOCATIONS = { path: 'params', query: 'query', header: 'headers', cookie: 'cookies' } as const
