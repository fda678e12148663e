import { TOKEN } from '@plumbline/base'
import type { DocumentBuilder } from '../document/builder.ts'
import type { DefaultProblems } from '../document/defaults.ts'
import { BUILD_FAULTS } from '../document/faults.ts'
import type { SecurityScheme } from '../openapi.ts'
import type { AnyOperation } from '../operation.ts'
import { fillIn } from '../sentence.ts'
import { isDeprecation } from '../spec/deprecation.ts'
import type { OperationSpec } from '../spec/operation-spec.ts'
import { prepareRoute, type RouteFault } from '../spec/route.ts'
import { undefinedScopes } from '../spec/scopes.ts'
import type { ServerOptions } from './types.ts'

/** The parts of a builder an implementation needs. */
type Builder = Pick<
  DocumentBuilder,
  'operations' | 'problems' | 'security' | 'securitySchemes' | 'defaults'
>

/**
 * Returns a document's default problems. Throws a TypeError listing every fault of the implementation. These are the
 * faults the types can't express, such as an unknown handler in a spread object.
 */
export function checkImplementation(
  builder: Builder,
  handlers: object,
  verifiers: object,
  { realm = '' }: ServerOptions,
): DefaultProblems {
  const operations = builder.operations()
  const ids = new Set(operations.map(({ operationId }) => operationId))
  const schemes = Object.keys(builder.securitySchemes())
  const defaults = builder.defaults()
  const faults = [
    ...(defaults === null
      ? ['the document does not have default problems; give createDocument the option defaults']
      : []),
    ...(ids.size < operations.length ? ['two operations have one operationId'] : []),
    ...missing(ids, functionsOf(handlers)).map(
      (id) => `the operation ${id} does not have a handler`,
    ),
    ...missing(Object.keys(handlers), Object.fromEntries([...ids].map((id) => [id, id]))).map(
      (id) => `the handler ${id} does not belong to an operation`,
    ),
    ...missing(schemes, functionsOf(verifiers)).map(
      (name) => `the scheme ${name} does not have a verifier`,
    ),
    ...Object.entries(builder.securitySchemes()).flatMap(([name, scheme]) =>
      isScheme(scheme) ? [] : [`the scheme ${name} does not have a valid name or place`],
    ),
    ...(/^[\x20-\x7e]*$/.test(realm) ? [] : ['the realm contains characters that are not ASCII']),
    ...operations.flatMap((operation) => operationFaults(builder, operation)),
  ]
  if (defaults === null || faults.length > 0) throw new TypeError(faults.join('; '))
  return defaults
}

/** Whether challenges and credentials can name a scheme (RFC 9110 §11.1, OpenAPI 3.1.1 §4.8.27). */
function isScheme(scheme: SecurityScheme): boolean {
  const named = (name: unknown, characters: RegExp): boolean =>
    typeof name === 'string' && characters.test(name)
  if (scheme.type === 'http') return named(scheme.scheme, TOKEN)
  if (scheme.type !== 'apiKey') return true
  const { in: place, name } = scheme
  return place === 'query'
    ? named(name, /^[\x20-\x7e]+$/)
    : named(place, PLACE) && named(name, TOKEN)
}

/** Lists an operation's unknown names and invalid values. */
function operationFaults(builder: Builder, { operationId, spec, route }: AnyOperation): string[] {
  const required = (spec.security ?? builder.security()).flatMap((one) => Object.entries(one))
  const names = required.map(([name]) => name)
  const schemes = builder.securitySchemes()
  return [
    // RFC 6749 §3.3: `scope` of a challenge.
    ...required
      .flatMap(([, scopes]) => scopes)
      .filter((scope) => !/^[\x20-\x7e]*$/.test(scope))
      .map(
        (scope) => `the scope ${scope} of ${operationId} contains characters that are not ASCII`,
      ),
    ...missing(names, schemes).map(
      (name) => `the operation ${operationId} requires the unknown scheme ${name}`,
    ),
    ...required.flatMap(([name, scopes]) =>
      undefinedScopes(name, schemes[name], scopes).map(
        (scope) => `the operation ${operationId} requires the unknown scope ${scope} of ${name}`,
      ),
    ),
    ...missing(spec.problems ?? [], builder.problems()).map(
      (name) => `the operation ${operationId} names the unknown problem ${name}`,
    ),
    ...notLimits(pickLimits(spec)).map(
      (name) => `${name} of the operation ${operationId} must be a whole number`,
    ),
    ...(isDeprecation(spec.deprecated) ? [] : [`deprecated of ${operationId} cannot be sent`]),
    ...describeRoute(operationId, prepareRoute(route).fault),
  ]
}

function describeRoute(operationId: string, fault: RouteFault | undefined): string[] {
  if (fault === undefined) return []
  const { code, ...facts } = fault
  return [`the route of ${operationId} cannot be served: ${fillIn(BUILD_FAULTS[code], facts)}`]
}

function pickLimits({ bodyLimit, formFields }: OperationSpec): object {
  return { bodyLimit, formFields }
}

/** Returns the limits that aren't whole numbers. NaN, for example, would accept everything. */
function notLimits(limits: object): string[] {
  return Object.entries(limits)
    .filter(([, limit]) => limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 0))
    .map(([name]) => name)
}

/** Leaves out members that are not functions: a handler may be imported before it is defined. */
function functionsOf(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, one]) => typeof one === 'function'))
}

/** Returns the names missing from an object's own members. */
function missing(names: Iterable<string>, object: object): string[] {
  return [...names].filter((name) => !Object.hasOwn(object, name))
}

const PLACE = /^(?:header|cookie)$/
