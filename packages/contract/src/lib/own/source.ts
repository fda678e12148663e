import { memoize } from '@plumbline/base'
import type { DocumentOperations } from '@plumbline/openapi'
import {
  type Checks,
  type Contract,
  type Contracts,
  checksOf,
  findDeclaredResponse,
  prepareContracts,
} from '@plumbline/openapi/internal'
import type { Source, SourceOperation, SourceProblem, SourceResponse } from '../source.ts'
import { mediaTypesOf, optionalNames, sentMediaType } from './declared.ts'
import { readBody, readHeader, readParameters } from './read.ts'

/** A program's operations, which are checked with their own schemas. */
export const ownSource: (document: DocumentOperations) => Source = memoize((document) => {
  const checks = checksOf(document)
  const toOperation = memoize((contract: Contract) => createOperation(contract, checks))
  const listOperations = memoize(({ all }: Contracts) => all.map(toOperation))
  return {
    operations: () => listOperations(prepareContracts(document)),
    build: () => document.build?.() ?? null,
    defaultStatus: (reason) => document.defaults?.()?.[reason].entry.status ?? null,
    methodsOf: (request, basePath) =>
      prepareContracts(document).routes.methodsOf(request, basePath),
    urlsOf: checks.urlsOf,
    find: (context, basePath) => {
      const found = checks.find(context, basePath)
      return found && { value: toOperation(found.value), params: found.params }
    },
    check: async (operation, request, response, isRead) =>
      operation === null
        ? await checks.check(null, request, response)
        : await operation.check(request, response, isRead),
    streamOf: (operation, request, response) => operation.streamOf(request, response),
  }
})

function createOperation(contract: Contract, checks: Checks<Contract>): SourceOperation {
  const { operationId, path, route, spec } = contract
  return {
    operationId,
    method: route.method,
    path,
    pattern: route.pattern.source,
    origin: route.origin,
    responses: new Map([...contract.responses].map(toResponse)),
    problems: new Map([...contract.problems].map(toProblems)),
    // Converting schemas takes time, so an operation that is never counted does not do it.
    get mediaTypes() {
      return mediaTypesOf(contract)
    },
    get optional() {
      return {
        query: optionalNames(spec.query),
        headers: optionalNames(spec.headers),
        cookies: optionalNames(spec.cookies),
      }
    },
    check: (request, response, isRead) => checks.check(contract, request, response, isRead),
    streamOf: (request, response) => checks.streamOf(contract, request, response),
    mediaTypeOf: (request) => sentMediaType(contract, request),
    keyOf: (response) => {
      const declared = findDeclaredResponse(contract, response)
      return declared === null || 'problems' in declared ? null : declared.key
    },
    readParameters: (request, params, locations) =>
      readParameters(contract, request, params, locations),
    readBody: (request, bytes) => readBody(contract, request, bytes),
    readHeader: (key, name, text) => readHeader(contract, key, name, text),
  }
}

type Entry<Of> = Of extends ReadonlyMap<string, infer Value> ? readonly [string, Value] : never

function toResponse([key, { body, stream }]: Entry<Contract['responses']>): [
  string,
  SourceResponse,
] {
  const parts = stream && { kind: stream.kind, mediaType: stream.mediaTypes[0] }
  return [key, { ranges: body.map(([range]) => range), stream: parts }]
}

function toProblems([status, all]: Entry<Contract['problems']>): [
  string,
  readonly SourceProblem[],
] {
  return [
    status,
    all.map(({ name, entry, isDefault }) => ({ name, status: entry.status, isDefault })),
  ]
}
