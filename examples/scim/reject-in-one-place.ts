// Answers every rejected request in one place. `unwrap` returns the data or throws the error.
import { unwrap } from '@plumbline/result'
import { errorResponse, parseListQuery, ScimError, scimResponse } from '@plumbline/scim'

async function respond(
  request: Request,
  route: (request: Request) => Promise<Response>,
): Promise<Response> {
  try {
    return await route(request)
  } catch (error) {
    if (error instanceof ScimError) return errorResponse(error)
    throw error
  }
}

const list = async ({ url }: Request) => scimResponse(unwrap(parseListQuery(new URL(url))))
const response = await respond(new Request('https://example.com/Users?filter=userName+eq'), list)
response.status //=> 400
const { scimType, detail } = await response.json()
scimType //=> 'invalidFilter'
detail.split('\n')[0] //=> 'expected a space and a value at position 11, found the end'
