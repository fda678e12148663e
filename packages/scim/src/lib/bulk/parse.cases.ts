import type { ErrorType } from '../error.ts'

const post = { method: 'POST', path: '/Users', bulkId: 'q', data: {} }
const remove = { method: 'DELETE', path: '/Users/1' }

/** Faults of the whole request: the members of the body in addition to `schemas`, and the error. */
export const rejected: readonly (readonly [string, object, ErrorType, string])[] = [
  ['Operations is required', {}, 'invalidSyntax', 'Operations must be a list'],
  ['Operations is a list', { Operations: {} }, 'invalidSyntax', 'Operations must be a list'],
  [
    'an operation is an object',
    { Operations: [7] },
    'invalidSyntax',
    'Operations[0] must be a JSON object',
  ],
  [
    'a member is not duplicated',
    { Operations: [{ ...remove, PATH: '/Users/2' }] },
    'invalidSyntax',
    'Operations[0]: PATH is duplicated in different letter case',
  ],
  [
    'method is required',
    { Operations: [{ path: '/Users/1' }] },
    'invalidValue',
    'Operations[0].method must be POST, PUT, PATCH or DELETE',
  ],
  [
    'method is a string',
    { Operations: [{ ...remove, method: ['DELETE'] }] },
    'invalidValue',
    'Operations[0].method must be POST, PUT, PATCH or DELETE',
  ],
  [
    'bulkId is unique within the request',
    { Operations: [post, { ...post, path: '/Groups' }] },
    'invalidValue',
    'the bulkId "q" is duplicated',
  ],
  [
    'failOnErrors is a whole number',
    { failOnErrors: 1.5, Operations: [remove] },
    'invalidValue',
    'failOnErrors must be a non-negative integer',
  ],
  [
    'failOnErrors is a number',
    { failOnErrors: '1', Operations: [remove] },
    'invalidValue',
    'failOnErrors must be a non-negative integer',
  ],
  [
    'failOnErrors is not negative',
    { failOnErrors: -1, Operations: [remove] },
    'invalidValue',
    'failOnErrors must be a non-negative integer',
  ],
]

/** Faults of one operation, the last one, whose response has the error (RFC 7644 §3.7.3). */
export const rejectedOperations: readonly (readonly [string, object, ErrorType, string])[] = [
  [
    'method is one of four methods',
    { Operations: [remove, { ...remove, method: 'GET' }] },
    'invalidValue',
    'Operations[1].method must be POST, PUT, PATCH or DELETE',
  ],
  [
    'bulkId is required when method is POST',
    { Operations: [{ ...post, bulkId: null }] },
    'invalidValue',
    'Operations[0]: POST requires a bulkId',
  ],
  [
    'bulkId is a string',
    { Operations: [{ ...post, bulkId: 7 }] },
    'invalidValue',
    'Operations[0].bulkId must be a non-empty string',
  ],
  [
    'bulkId is not empty',
    { Operations: [{ ...post, bulkId: '' }] },
    'invalidValue',
    'Operations[0].bulkId must be a non-empty string',
  ],
  [
    'version is a string',
    { Operations: [{ ...remove, version: 1 }] },
    'invalidValue',
    'Operations[0].version must be a non-empty string',
  ],
  [
    'data is required when method is POST',
    { Operations: [{ ...post, data: undefined }] },
    'invalidValue',
    'Operations[0]: POST requires data, a JSON object',
  ],
  [
    'data is required when method is PATCH',
    { Operations: [{ ...remove, method: 'PATCH', data: [] }] },
    'invalidValue',
    'Operations[0]: PATCH requires data, a JSON object',
  ],
  [
    'the path of a POST is the path of a resource type, not of a resource of this request',
    { Operations: [{ ...post, path: '/Users/bulkId:q' }] },
    'invalidValue',
    'Operations[0].path of a POST must be the path of a resource type, such as /Users',
  ],
  [
    'the path of any other method is the path of a resource',
    { Operations: [{ ...remove, path: '/Users' }] },
    'invalidValue',
    'Operations[0].path of DELETE must be the path of a resource, such as /Users/1',
  ],
  [
    'the path of the client is spelled as in RFC 7644 §3.11',
    { Operations: [{ ...remove, path: '/me' }] },
    'invalidValue',
    'Operations[0].path of DELETE must be the path of a resource, such as /Users/1',
  ],
  [
    'a bulk request does not contain a bulk request',
    { Operations: [{ ...post, path: '/bulk' }] },
    'invalidValue',
    'Operations[0].path must not be the bulk endpoint',
  ],
  [
    'the bulk endpoint is recognized in any letter case, and with more segments',
    { Operations: [{ ...remove, path: '/BULK/1' }] },
    'invalidValue',
    'Operations[0].path must not be the bulk endpoint',
  ],
]

const notPaths: readonly unknown[] = [
  undefined,
  ['/Users/1'],
  '',
  '/',
  'Users/1',
  '//example.org/Users',
  '/Users//1',
  '/Users/1/',
  '/Users/1?x=1',
  '/Users/1#x',
  '/\\example.org/1',
  '/\t/example.org',
  'https://example.org/Users/1',
]

/** Paths that do not name a resource below the base address. */
export const rejectedPaths: readonly (readonly [unknown, string])[] = [
  ...notPaths.map(
    (path) => [path, 'Operations[0].path must be a path such as /Users or /Users/1'] as const,
  ),
  ['/Users/..', 'Operations[0].path must not contain dot segments'],
  ['/Users/%2E%2e/Groups', 'Operations[0].path must not contain dot segments'],
  ['/./Users', 'Operations[0].path must not contain dot segments'],
]

/** Paths of resources that resemble rejected ones. */
export const acceptedPaths: readonly string[] = [
  '/Users/..a',
  '/Users/a..',
  '/Users/...',
  '/Users/%2E%2E%2E',
  '/Users/bulk',
  '/Users/bulkId:q',
  '/v2/Users/1',
  // RFC 7644 §3.11
  '/Me',
]
