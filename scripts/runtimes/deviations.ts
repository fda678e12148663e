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
    reason: 'formData() does not keep the Content-Type of a file, so that any file may be JSON',
    tests: [
      'client.test.ts > a request of a client > has a part for each file of a multipart form, and JSON for objects',
      'form.test.ts > a form reads an object > a file without a type',
      'form.test.ts > a form reads an object > a text file',
      'form.test.ts > a form reads other values > a file of certain types',
      'form.test.ts > a form > is rejected with an issue for each field that cannot be read',
    ],
  },
  {
    runtime: 'Bun',
    reason:
      'a File without a name does not have the property, and a File adds a charset to its media type',
    tests: [
      'form.test.ts > a file input without a file is absent (HTML §4.10.21.8) > a file without a name',
      ...[
        '*/*, sent as text/plain; charset=utf-8',
        '*/*, sent as application/json',
        'application/json, sent as application/json',
        '*/*, sent as application/x-www-form-urlencoded',
      ].map(
        (row) =>
          `receive.test.ts > a body whose schema is of a file > is that file, with every byte: ${row}`,
      ),
      'receive.test.ts > a body whose schema is of a file > is that file for any Content-Type if it is the only schema',
    ],
  },
  {
    runtime: 'Bun',
    reason: 'a FormData copies a File, without the properties that a test has set',
    tests: [
      'form.test.ts > a file whose media type the runtime does not know > is read as JSON, without the byte order mark that Workers keep',
    ],
  },
  {
    runtime: 'Cloudflare-Workers',
    reason: 'formData() reads a file with an empty name as a string',
    tests: [
      'form.test.ts > a file input without a file is absent (HTML §4.10.21.8) > an optional string',
      'form.test.ts > a file input without a file is absent (HTML §4.10.21.8) > a file without a name',
    ],
  },
  {
    runtime: 'Deno',
    reason: 'formData() accepts a form without its last boundary',
    tests: ['receive.test.ts > multipart/form-data (RFC 7578) > is malformed: cut short'],
  },
  {
    runtime: 'Deno',
    reason:
      'Object.prototype does not have __proto__, so that this message of ArkType does not throw',
    tests: [
      'schemas.test.ts > an issue whose message throws when it is read > is replaced, as by a union of ArkType for the key __proto__',
    ],
  },
]
