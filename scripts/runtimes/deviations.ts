/** Tests that fail because a runtime differs from the standard. Each must fail there. */
interface Deviation {
  /** The beginning of `navigator.userAgent`. */
  readonly runtime: 'Bun' | 'Cloudflare-Workers' | 'Deno'
  readonly reason: string
  /** The names of the tests: the file, its groups, and the title. */
  readonly tests: readonly string[]
}

export const DEVIATIONS: readonly Deviation[] = [
  {
    runtime: 'Bun',
    reason: 'formData() does not keep the Content-Type of a file',
    tests: [
      'client.test.ts > a client request > a multipart form has a part for each file, and JSON for objects',
      'services.test.ts > generated files > generated files have their type',
      'services.test.ts > generated files > generated files have each of their types',
      'services.test.ts > generated files > generated files have another type, which the server must reject',
    ],
  },
  {
    runtime: 'Bun',
    reason:
      'a File without a name does not have the property, and a File adds a charset to its media type',
    tests: [
      'form.test.ts > a form with other values > the value is read or rejected: a file of certain types',
      ...[
        '*/*, sent as text/plain; charset=utf-8',
        '*/*, sent as application/json',
        'application/json, sent as application/json',
        '*/*, sent as application/x-www-form-urlencoded',
      ].map(
        (row) => `receive.test.ts > a body with a file schema > the file has every byte: ${row}`,
      ),
      'receive.test.ts > a body with a file schema > a single file schema reads a file with any Content-Type',
    ],
  },
  {
    runtime: 'Deno',
    reason:
      'Object.prototype does not have __proto__, so that this message of ArkType does not throw',
    tests: [
      'schemas.test.ts > an issue whose message getter throws > the message is replaced, as in an ArkType union for the key __proto__',
    ],
  },
  ...(['Bun', 'Cloudflare-Workers'] as const).map(
    (runtime): Deviation => ({
      runtime,
      reason: 'the headers of Response.error() can be changed',
      tests: [
        'deprecation.test.ts > a deprecated operation sends the lifetime with errors and with answers from `fetch`',
      ],
    }),
  ),
  {
    runtime: 'Bun',
    reason: 'a body that is a stream may have strings',
    tests: [
      'receive.test.ts > reading a body > a body is malformed if the stream has something other than bytes',
    ],
  },
]
