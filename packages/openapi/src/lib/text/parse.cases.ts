import type { ParseErrorCode } from './errors.ts'

/** The smallest valid document, so that only the lines of a row can be at fault. */
export const HEAD = 'openapi: 3.1.1\ninfo: { title: Books, version: "1" }\n'

/** A rejected text: its fault, the text, the pointer, the line and column, and the code. */
export type Rejected = readonly [
  what: string,
  text: string,
  pointer: string,
  place: readonly [line: number, column: number] | null,
  code: ParseErrorCode,
]

/** Texts whose version or `info` is not that of an OpenAPI 3.1 document (OpenAPI 3.1.1 §4.8.1). */
export const rejectedHeads: readonly Rejected[] = [
  ['no version', 'info: {}', '', [1, 1], 'missing-field'],
  [
    'an unquoted 3.1, which is a number',
    'openapi: 3.1\ninfo: {}',
    '/openapi',
    [1, 10],
    'invalid-type',
  ],
  ['OpenAPI 3.0', 'openapi: "3.0.3"', '/openapi', [1, 10], 'unsupported-version'],
  ['OpenAPI 3.2', '{"openapi":"3.2.0"}', '/openapi', [1, 12], 'unsupported-version'],
  ['3.1 without a patch', 'openapi: "3.1"', '/openapi', [1, 10], 'unsupported-version'],
  ['3.10', 'openapi: 3.10.0', '/openapi', [1, 10], 'unsupported-version'],
  [
    'a long version, of which the message shows the beginning',
    `openapi: ${'3'.repeat(100)}x`,
    '/openapi',
    [1, 10],
    'unsupported-version',
  ],
  ...['x3.1.1', '3.1.1x', '3.1.1-'].map(
    (version): Rejected => [
      `the version ${version}`,
      `openapi: ${version}`,
      '/openapi',
      [1, 10],
      'unsupported-version',
    ],
  ),
  ['no info', 'openapi: 3.1.0', '', [1, 1], 'missing-field'],
  [
    'a title that is a number',
    'openapi: 3.1.0\ninfo:\n  title: 1\n  version: "1"',
    '/info/title',
    [3, 10],
    'invalid-type',
  ],
  ['an info that is a list', 'openapi: 3.1.0\ninfo: []', '/info', [2, 7], 'invalid-type'],
  ['no title', 'openapi: 3.1.0\ninfo:\n  version: "1"', '/info', [3, 3], 'missing-field'],
  [
    'no version of the API',
    '{\n\t"openapi": "3.1.0",\n\t"info": { "title": "Books" }\n}',
    '/info',
    [3, 10],
    'missing-field',
  ],
  [
    'a version of the API that is a number',
    'openapi: 3.1.0\ninfo:\n  title: Books\n  version: 1',
    '/info/version',
    [4, 12],
    'invalid-type',
  ],
  [
    'a version of the API that is a number, and the word "version" after info',
    'openapi: 3.1.0\ninfo:\n  title: Books\n  version: 1\nx-a: version\nx-b: c',
    '/info/version',
    [4, 12],
    'invalid-type',
  ],
  ['a list as the document', '- a', '', [1, 1], 'invalid-type'],
  ['a scalar document', 'hello', '', [1, 1], 'invalid-type'],
  ['JSON null', 'null', '', [1, 1], 'invalid-type'],
]

/** The text after `HEAD`, from line 3 on, of documents with a wrong shape. */
export const rejectedShapes: readonly Rejected[] = [
  ['paths in a list', 'paths: []', '/paths', [3, 8], 'invalid-type'],
  ['paths without a value', 'paths:', '/paths', [3, 1], 'invalid-type'],
  ['a path without a slash', 'paths:\n  books: {}', '/paths/books', [4, 3], 'invalid-path'],
  ['a path with a slash at its end', 'paths:\n  a/: {}', '/paths/a~1', [4, 3], 'invalid-path'],
  ['a path that ends with x-', 'paths:\n  a-x-: {}', '/paths/a-x-', [4, 3], 'invalid-path'],
  [
    'a path with the characters of a pointer',
    'paths:\n  "a/~b": {}',
    '/paths/a~1~0b',
    [4, 3],
    'invalid-path',
  ],
  [
    'a path without a slash, after another in flow style',
    'paths: {/a: {}, books: {get: {}}}',
    '/paths/books',
    [3, 17],
    'invalid-path',
  ],
  ['a path item without a value', 'paths:\n  /a:\n  /b: {}', '/paths/~1a', [4, 3], 'invalid-type'],
  ['a path item that is a string', 'paths:\n  /a: |\n    b', '/paths/~1a', [5, 1], 'invalid-type'],
  ['webhooks of numbers', 'webhooks: {a: 1}', '/webhooks/a', [3, 15], 'invalid-type'],
  ['a webhook that ends with x-', 'webhooks: {a-x-: 1}', '/webhooks/a-x-', [3, 18], 'invalid-type'],
  [
    'components that end with x-',
    'components: {a-x-: 1}',
    '/components/a-x-',
    [3, 20],
    'invalid-type',
  ],
  ['components in a list', 'components: []', '/components', [3, 13], 'invalid-type'],
  [
    'schemas in a list',
    'components:\n  schemas: []',
    '/components/schemas',
    [4, 12],
    'invalid-type',
  ],
  [
    'a schema that is a number',
    'components:\n  schemas:\n    A: true\n    B: 5',
    '/components/schemas/B',
    [6, 8],
    'invalid-type',
  ],
  [
    'a response that is a boolean',
    'components: {responses: {A: true}}',
    '/components/responses/A',
    [3, 29],
    'invalid-type',
  ],
  ['servers in an object', 'servers: {}', '/servers', [3, 10], 'invalid-type'],
  ['a server without a url', 'servers:\n  - url: /\n  - {}', '/servers/1', [5, 5], 'invalid-type'],
  ['a server without a value', 'servers:\n  -', '/servers/0', [4, 3], 'invalid-type'],
  [
    'a server without a url, from an alias, before another field',
    'x-s: &s [{}]\nservers: *s\ntags: []',
    '/servers/0',
    [4, 10],
    'invalid-type',
  ],
  ['a tag that is a string', 'tags: [{name: a}, b]', '/tags/1', [3, 19], 'invalid-type'],
  ['security in an object', 'security: {}', '/security', [3, 11], 'invalid-type'],
  [
    'scopes that are not a list',
    'security:\n  - a: []\n  - a: b',
    '/security/1',
    [5, 5],
    'invalid-type',
  ],
  ['security of null', 'security: [~]', '/security/0', [3, 12], 'invalid-type'],
  ['a scope that is a number', 'security: [{a: [1]}]', '/security/0', [3, 12], 'invalid-type'],
]

/** The text after `HEAD` of documents that are not valid YAML, or contain values that JSON cannot represent. */
export const rejectedYaml: readonly Rejected[] = [
  ['a duplicate key', 'paths: {}\ntags: []\npaths: {}', '', [5, 1], 'invalid-yaml'],
  ['a duplicate key, once as a number', 'x-a: {200: a, 0xC8: b}', '', [3, 15], 'invalid-yaml'],
  ['a second document', '---\nopenapi: 3.1.1', '', [4, 1], 'invalid-yaml'],
  ['a list as a key', 'x-a:\n  ? [a]\n  : b', '', [4, 5], 'invalid-key'],
  [
    'a list as a key, after a list as a value',
    'x-a: {b: [c], ? [d]: e}',
    '',
    [3, 17],
    'invalid-key',
  ],
  ['a map as a key', 'x-a: {b: c, ? {d: e}: f}', '', [3, 15], 'invalid-key'],
  ['infinity', 'x-a: [1, .inf]', '/x-a/1', [3, 10], 'unsupported-value'],
  ['negative infinity', 'x-a: -.Inf', '/x-a', [3, 6], 'unsupported-value'],
  ['NaN', 'x-a: .NaN', '/x-a', [3, 6], 'unsupported-value'],
  ['a list that contains itself', 'x-a: &a [*a]', '/x-a/0', [3, 10], 'circular-value'],
  ['a map that contains itself', 'x-a: &a\n  b:\n    c: *a', '/x-a/b/c', [5, 8], 'circular-value'],
  ...['binary', 'timestamp', 'js/function'].map(
    (tag): Rejected => [`the tag !!${tag}`, `x-a: !!${tag} a`, '', [3, 6], 'invalid-yaml'],
  ),
  ['the tag !!set', 'x-a: !!set {a, b}', '', [3, 6], 'invalid-yaml'],
  ['an application tag', 'x-a: !book b', '', [3, 6], 'invalid-yaml'],
  ['an alias without an anchor', 'x-a: *nothing', '', [3, 7], 'invalid-yaml'],
  ['a tab for indentation', 'x-a:\n\tb: c', '', [4, 1], 'invalid-yaml'],
  ['flow lists 100,000 levels deep', `x-a: ${'['.repeat(100_000)}`, '', [3, 1_005], 'invalid-yaml'],
  [
    'block lists 100,000 levels deep',
    `x-a:\n  ${'- '.repeat(100_000)}`,
    '',
    [4, 2_001],
    'invalid-yaml',
  ],
]

/** Texts that start as JSON and are not valid (RFC 8259). */
export const rejectedJson: readonly (readonly [
  text: string,
  place: readonly [line: number, column: number],
  expected: string,
])[] = [
  ['{', [1, 2], 'a name in quotes or }'],
  ['{openapi: 3.1.1}', [1, 2], 'a name in quotes or }'],
  ['{"openapi"', [1, 11], ':'],
  ['{"openapi":', [1, 12], 'a value'],
  ['{"openapi":x}', [1, 12], 'a value'],
  ['{"openapi":"3.1.1"', [1, 19], ', or }'],
  ['{"openapi":"3.1.1",}', [1, 20], 'a name in quotes'],
  ['{"a": 1\n "b": 2}', [2, 2], ', or }'],
  ['{"a":\r\n [}', [2, 3], 'a value or ]'],
  ['{"a":[1,]}', [1, 9], 'a value'],
  ['{"a":[1}', [1, 8], ', or ]'],
  ['{"a":{}} {', [1, 10], 'the end of the text'],
  ['{"a":01}', [1, 7], ', or }'],
  ['{"a":.5}', [1, 6], 'a value'],
  ['{"a":NaN}', [1, 6], 'a value'],
  ["{'a': 1}", [1, 2], 'a name in quotes or }'],
  ['{"a', [1, 4], 'the rest of a string'],
  ['{"a":"b\n"}', [1, 8], 'the rest of a string'],
  ['{"a":"b\tc"}', [1, 8], 'the rest of a string'],
  ['{"a":"\\x"}', [1, 7], 'the rest of a string'],
  ['{"a":"\\u12"}', [1, 7], 'the rest of a string'],
  ['{"position 99": x}', [1, 17], 'a value'],
  ['\uFEFF{"a" 1}', [1, 6], ':'],
  [`{"a":${'['.repeat(100_000)}`, [1, 100_006], 'a value or ]'],
]
