import { memoize } from '@plumbline/base'
import type { DocumentOperations } from '../document/builder.ts'
import { checkExchange, findDeclaredResponse, isStreamed, undocumented } from './check.ts'
import { createPartChecker } from './check-parts.ts'
import type { Checks } from './record.ts'
import { type Contract, prepareContracts } from './responses.ts'

/** The checks of a builder's operations, which run their own schemas. Operations may be added later. */
export const checksOf: (document: DocumentOperations) => Checks<Contract> = memoize((document) => ({
  find: ({ request, webhook, operationId: known }, basePath) => {
    const { all, routes } = prepareContracts(document)
    const found = webhook === undefined ? routes.find(request, basePath) : null
    const name = webhook ?? known
    if (name === undefined || found?.value.operationId === name) return found
    // `implement` may answer below another router, whose paths the document does not have.
    const value = all.find(({ operationId }) => operationId === name)
    return value === undefined ? null : { value, params: {} }
  },
  urlsOf: (request, basePath) => prepareContracts(document).routes.urlsOf(request, basePath),
  check: async (contract, request, response, isRead) =>
    contract === null
      ? { violations: [undocumented(request)], problem: null, content: null }
      : await checkExchange(contract, request, response, isRead),
  streamOf: (contract, request, response) => {
    const declared = findDeclaredResponse(contract, response)
    if (declared === null || 'problems' in declared) return null
    const { key, stream } = declared
    if (stream === undefined || !isStreamed(stream, request, response)) return null
    return {
      key,
      createReader: () => stream.format.createReader(),
      createCheck: () => createPartChecker(contract.operationId, stream),
    }
  },
}))
