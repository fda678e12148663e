import type { ErrorType } from '../message/error.ts'

const post = { method: 'POST', path: '/Users', bulkId: 'q', data: {} }
const remove = { method: 'DELETE', path: '/Users/1' }

/** What is wrong, the members of the body beside `schemas`, and the refusal. */
export const refused: readonly (readonly [string, object, ErrorType, string])[] = [
  ['Operations is required', {}, 'invalidSyntax', 'Operations must be a list'],
  ['Operations is a list', { Operations: {} }, 'invalidSyntax', 'Operations must be a list'],
  [
    'an operation is an object',
    { Operations: [7] },
    'invalidSyntax',
    'Operations[0] must be a JSON object',
  ],
  [
    'a member is there once',
    { Operations: [{ ...remove, PATH: '/Users/2' }] },
    'invalidSyntax',
    'Operations[0]: PATH is there twice, in different letter case',
  ],
  [
    'method is required',
    { Operations: [{ path: '/Users/1' }] },
    'invalidValue',
    'Operations[0].method must be POST, PUT, PATCH or DELETE',
  ],
  [
    'method is one of four',
    { Operations: [remove, { ...remove, method: 'GET' }] },
    'invalidValue',
    'Operations[1].method must be POST, PUT, PATCH or DELETE',
  ],
  [
    'bulkId is required when method is POST',
    { Operations: [{ ...post, bulkId: null }] },
    'invalidValue',
    'Operations[0]: POST needs a bulkId',
  ],
  [
    'bulkId is text',
    { Operations: [{ ...post, bulkId: 7 }] },
    'invalidValue',
    'Operations[0].bulkId must be a string that is not empty',
  ],
  [
    'bulkId is unique within the request',
    { Operations: [post, { ...post, path: '/Groups' }] },
    'invalidValue',
    'the bulkId "q" is there twice',
  ],
  [
    'version is text',
    { Operations: [{ ...remove, version: 1 }] },
    'invalidValue',
    'Operations[0].version must be a string that is not empty',
  ],
  [
    'data is required when method is POST',
    { Operations: [{ ...post, data: undefined }] },
    'invalidValue',
    'Operations[0]: POST needs data, a JSON object',
  ],
  [
    'data is required when method is PATCH',
    { Operations: [{ ...remove, method: 'PATCH', data: [] }] },
    'invalidValue',
    'Operations[0]: PATCH needs data, a JSON object',
  ],
  [
    'the path of a POST is that of a resource type, not of what is created here',
    { Operations: [{ ...post, path: '/Users/bulkId:q' }] },
    'invalidValue',
    'Operations[0].path of a POST must be that of a resource type',
  ],
  [
    'the path of all else is that of a resource',
    { Operations: [{ ...remove, path: '/Users' }] },
    'invalidValue',
    'Operations[0].path of DELETE must be that of a resource',
  ],
  [
    'a bulk request holds no bulk request',
    { Operations: [{ ...post, path: '/bulk' }] },
    'invalidValue',
    'Operations[0].path must not be a bulk request itself',
  ],
  [
    'failOnErrors is an integer',
    { failOnErrors: '1', Operations: [remove] },
    'invalidValue',
    'failOnErrors must be an integer, 0 or more',
  ],
  [
    'failOnErrors is not negative',
    { failOnErrors: -1, Operations: [remove] },
    'invalidValue',
    'failOnErrors must be an integer, 0 or more',
  ],
]

const notPaths: readonly unknown[] = [
  undefined,
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

/** Paths that name no resource below the base address. */
export const refusedPaths: readonly (readonly [unknown, string])[] = [
  ...notPaths.map(
    (path) => [path, 'Operations[0].path must be a path such as /Users or /Users/1'] as const,
  ),
  ['/Users/..', 'Operations[0].path must not hold dot segments'],
  ['/Users/%2E%2e/Groups', 'Operations[0].path must not hold dot segments'],
  ['/./Users', 'Operations[0].path must not hold dot segments'],
]
