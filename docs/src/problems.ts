import { problems } from '../../apps/directory/src/shell/api/problems.ts'

/** A name in the problem catalog for the directory's management API. */
type Name = keyof typeof problems

/**
 * Creates a page per problem type, at the `type` address, and a page listing them. Each is an `index.html`, which every
 * server finds without an extension.
 */
export async function problemPages(): Promise<Map<string, string>> {
  const names = Object.keys(problems) as Name[]
  const pages = await Promise.all(
    names.map(
      async (name) =>
        [`problems/${problems[name].slug}/index.md`, await problemText(name)] as const,
    ),
  )
  return new Map([['problems/index.md', indexText(names)], ...pages])
}

function indexText(names: readonly Name[]): string {
  const rows = names.map((name) => {
    const { slug, status, title } = problems[name]
    return `| [\`${slug}\`](./${slug}/index.md) | ${status} | ${title} |`
  })
  return [
    '# Problems of the directory',
    'An error of [the management API](../directory/api.md) is a problem (RFC 9457). Its `type` is the address of a page with its cause and its fix.',
    ['| problem | status | title |', '| --- | --- | --- |', ...rows].join('\n'),
  ].join('\n\n')
}

async function problemText(name: Name): Promise<string> {
  const { slug, status, title } = problems[name]
  const [cause, fix] = EXPLANATIONS[name]
  const example = name === 'invalid' ? problems.invalid(INVALID) : problems[name]()
  return [
    `# Problem: ${slug}`,
    `${title}. Status ${status}. [All problems](../index.md).`,
    `**Cause**: ${cause}`,
    'An example:',
    `\`\`\`json\n${JSON.stringify(await example.json(), null, 2)}\n\`\`\``,
    `**Fix**: ${fix}`,
  ].join('\n\n')
}

const INVALID = {
  extensions: {
    issues: [{ location: 'body', detail: 'must be in the future', pointer: '/expiresAt' }],
  },
} as const

/** Each problem's cause and fix. */
const EXPLANATIONS: Readonly<Record<Name, readonly [cause: string, fix: string]>> = {
  unauthorized: [
    'The request does not have a bearer token, or the token is unknown, expired or revoked.',
    'Send `Authorization: Bearer <token>` with [a valid token](../../directory/api.md#expire-rotate-and-revoke-tokens).',
  ],
  forbidden: [
    'The token is valid, and does not permit the operation: it only reads, or it is not a token of an administrator. A session of the console is accepted only from pages of the server.',
    'Use a token of an administrator, which has the [access](../../directory/api.md#expire-rotate-and-revoke-tokens) that the operation needs.',
  ],
  notFound: [
    'The path, the tenant or another resource that the path or the body names does not exist, or it was deleted.',
    'Compare the path with the document at `/openapi.json`, and list the resources to find the id.',
  ],
  conflict: [
    'Another resource has the same id or the same name, or what exists does not permit the change. The `detail` says which.',
    'Choose another id, or change the resource that exists.',
  ],
  notAllowed: [
    'The state of the tenant does not allow the operation: it is being deleted, a recording is active, or a limit is reached. The `detail` says why.',
    'Do what the `detail` says, such as to delete what is not needed, and send the request again.',
  ],
  notRotatable: [
    'The token has expired, or another token has already replaced it. The `detail` says which.',
    'Rotate or revoke the token that replaced it, or create [another one](../../directory/api.md#expire-rotate-and-revoke-tokens).',
  ],
  changesDeleted: [
    'The changes after the cursor are older than `CHANGE_DAYS` or did not fit into `CHANGE_MEGABYTES`, or the cursor belongs to another tenant.',
    'Make a new copy of the tenant, and continue with [its newest cursor](../../directory/api.md#changes).',
  ],
  tooLarge: [
    'The body has more bytes than the operation accepts.',
    'Send a smaller body: [the limits](../../directory/api.md#limits).',
  ],
  malformed: [
    'The body is not valid JSON or not a valid form, or it ended early.',
    'Send valid JSON in UTF-8. The `detail` names the place.',
  ],
  unsupportedMediaType: [
    'The operation does not read bodies of this media type, or the `Content-Type` is missing.',
    'Send `Content-Type: application/json`.',
  ],
  invalid: [
    'A parameter or a part of the body does not have the form that the operation needs. Each of the `issues` says what is wrong, and its `pointer` where.',
    'Change the part that the `pointer` names. The document at `/openapi.json` has its schema.',
  ],
  tooManyRequests: [
    'The token or the address has sent more requests than [the rate limit](../../directory/operate.md#rate-limits) permits, or an operation has a limit of its own.',
    'Wait for the seconds of `Retry-After`, and send the request again.',
  ],
  unavailable: [
    'The database does not answer or is busy, or too many clients watch requests or changes.',
    'Send the request again after the seconds of `Retry-After`. If it stays, see [the operation](../../directory/operate.md) of the database.',
  ],
}
