import { type Components, own } from '@plumbline/base'
import type { AnyOperation, DocumentBuilder, OpenAPI } from '@plumbline/openapi'
import { isForOthers, prepareRoute } from '@plumbline/openapi/internal'
import { pointerOf } from '@plumbline/problem/core'
import { unwrap } from '@plumbline/result'

/** The document from which tests are generated. */
export type TestedDocument = Pick<
  DocumentBuilder,
  'build' | 'operations' | 'problems' | 'servers' | 'securitySchemes' | 'security' | 'defaults'
>

/** One operation's contract, as shown in the document. */
export interface OperationPlan {
  readonly operation: AnyOperation
  readonly method: OpenAPI.Method
  /** The route pattern, and the path with variables as `{name}`. */
  readonly pattern: string
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
export function planOperations(document: TestedDocument): {
  readonly plans: readonly OperationPlan[]
  readonly components: Components
} {
  const built = unwrap(document.build())
  const plans = document.operations().flatMap((operation) => {
    // A built document has every route.
    const { value: route } = prepareRoute(operation.route)
    const described = route && built.paths?.[route.template as '/']?.[route.method]
    if (!described) return []
    const { method, template: path } = route
    const pointer = pointerOf(['paths', path, method])
    const { spec } = operation
    // A GET request cannot have a body.
    const hasBody = method !== 'get' && method !== 'head'
    const content = hasBody ? Object.entries(Object(own(described.requestBody, 'content'))) : []
    const { problems = [], responses = {} } = spec
    return [
      {
        operation,
        method,
        pattern: route.pattern.source,
        path,
        wildcards: [...route.pattern.source.matchAll(WILDCARD)].map(([, name = '']) => name),
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
        security: spec.security ?? document.security(),
        ownStatuses: [
          ...Object.keys(responses),
          ...problems.map((name) => String(document.problems()[name]?.status)),
        ],
      },
    ]
  })
  return { plans, components: Object(built.components?.schemas) }
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
