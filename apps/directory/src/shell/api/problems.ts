import { defineProblems, ISSUES_SCHEMA } from '@plumbline/problem'

/** Every problem type in the management API. */
export const problems = defineProblems('https://plumbline.example/problems/', {
  unauthorized: { slug: 'unauthorized', status: 401, title: 'A valid bearer token is required' },
  forbidden: { slug: 'forbidden', status: 403, title: 'The token does not permit this operation' },
  notFound: { slug: 'not-found', status: 404, title: 'Not found' },
  conflict: { slug: 'conflict', status: 409, title: 'Already exists' },
  notAllowed: { slug: 'not-allowed', status: 409, title: 'The tenant does not allow this' },
  notRotatable: { slug: 'not-rotatable', status: 409, title: 'The token cannot be rotated' },
  changesDeleted: {
    slug: 'changes-deleted',
    status: 410,
    title: 'Changes after this cursor were deleted, or the cursor is not of this feed',
  },
  tooLarge: { slug: 'too-large', status: 413, title: 'The body is too large' },
  malformed: { slug: 'malformed', status: 400, title: 'The request is malformed' },
  unsupportedMediaType: {
    slug: 'unsupported-media-type',
    status: 415,
    title: 'The media type of the body is not supported',
  },
  invalid: {
    slug: 'invalid',
    status: 422,
    title: 'The request is not valid',
    extensions: { issues: ISSUES_SCHEMA },
  },
  tooManyRequests: {
    slug: 'too-many-requests',
    status: 429,
    title: 'Too many requests',
  },
  unavailable: {
    slug: 'unavailable',
    status: 503,
    title: 'The directory cannot reach its database',
  },
})

/** Problems for every operation that needs a token and the database. */
export const COMMON_PROBLEMS = ['unavailable', 'tooManyRequests'] as const
