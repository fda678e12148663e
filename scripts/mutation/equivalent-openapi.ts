import type { Equivalent } from './mutant.ts'

/** Equivalent mutants of the server, the client and the coverage reports of `@plumbline/openapi`. */
export const OPENAPI_EQUIVALENT: readonly Equivalent[] = [
  {
    file: 'packages/openapi/src/lib/server/authenticate.ts',
    line: "if (sent.kind === 'absent') return { outcome: 'absent', principal: null }",
    original: "{ outcome: 'absent', principal: null }",
    replacement: '{}',
    reason:
      'Only the outcomes "valid", "invalid" and "forbidden" are compared. The compiler rejects any other value.',
  },
  {
    file: 'packages/openapi/src/lib/server/authenticate.ts',
    line: "if (sent.kind === 'absent') return { outcome: 'absent', principal: null }",
    original: "'absent'",
    column: 46,
    replacement: '""',
    reason:
      'Only the outcomes "valid", "invalid" and "forbidden" are compared. The compiler rejects any other value.',
  },
  {
    file: 'packages/openapi/src/lib/server/authenticate.ts',
    line: 'if (others.length === 0) return { principal: first?.principal ?? null }',
    replacement: 'first.principal',
    reason: 'A requirement without schemes is not tried. The compiler requires the operator.',
  },
  {
    file: 'packages/openapi/src/lib/server/check-implementation.ts',
    line: "{ realm = '' }: ServerOptions,",
    replacement: '"Stryker was here!"',
    reason: 'Any text in ASCII is accepted.',
  },
  {
    file: 'packages/openapi/src/lib/server/check-implementation.ts',
    line: "if (defaults === null || faults.length > 0) throw new TypeError(faults.join('; '))",
    original: 'defaults === null',
    replacement: 'false',
    reason:
      'A document without defaults has a fault. The type makes the compiler require the check.',
  },
  {
    file: 'packages/openapi/src/lib/server/credentials.ts',
    line: "const header = request.headers.get('Authorization') ?? ''",
    replacement: '"Stryker was here!"',
    reason: 'Neither text begins with the name of a scheme.',
  },
  {
    file: 'packages/openapi/src/lib/server/credentials.ts',
    line: "const [sent = ''] = header.split(' ', 1)",
    replacement: '"Stryker was here!"',
    reason: 'A split string has a first part. The compiler requires the default.',
  },
  {
    file: 'packages/openapi/src/lib/server/credentials.ts',
    line: "const colon = pair?.indexOf(':') ?? -1",
    original: '-1',
    replacement: '+1',
    reason: 'Without a pair, the credentials are malformed whatever the colon is.',
  },
  {
    file: 'packages/openapi/src/lib/server/credentials.ts',
    line: 'if (pair === null || colon < 0 || CONTROL.test(pair)) return MALFORMED',
    original: 'pair === null',
    replacement: 'false',
    reason: 'Without a pair, no colon is found. The type makes the compiler require the check.',
  },
  {
    file: 'packages/openapi/src/lib/server/credentials.ts',
    line: '} catch {',
    original: '{',
    replacement: '{}',
    reason: 'Neither null nor undefined has a colon.',
  },
  {
    file: 'packages/openapi/src/lib/server/credentials.ts',
    line: "const [target = ''] = url.split('#', 1)",
    replacement: '"Stryker was here!"',
    reason: 'A split string has a first part. The compiler requires the default.',
  },
  {
    file: 'packages/openapi/src/lib/server/credentials.ts',
    line: 'if (from < 0) return []',
    replacement: 'from <= 0',
    reason: 'The URL of a request is absolute, so that it never begins with a question mark.',
  },
  {
    file: 'packages/openapi/src/lib/server/credentials.ts',
    line: "return (headers.get('Cookie') ?? '').split(';').flatMap((pair) => {",
    original: "''",
    replacement: '"Stryker was here!"',
    reason: 'A string without an equals sign does not have a cookie.',
  },
  {
    file: 'packages/openapi/src/lib/server/credentials.ts',
    line: 'if (equals < 0 || pair.slice(0, equals).trim() !== wanted) return []',
    original: 'equals < 0',
    replacement: 'equals <= 0',
    reason: 'The name of a cookie is not empty (RFC 6265 §4.1.1).',
  },
  {
    file: 'packages/openapi/src/lib/server/implement.ts',
    line: 'if (!route || !contract || !handler) return []',
    original: '!route || !contract || !handler',
    replacement: 'false',
    reason:
      'checkImplementation has rejected such an operation before. The types make the compiler require the check.',
  },
  {
    file: 'packages/openapi/src/lib/server/implement.ts',
    line: 'if (!route || !contract || !handler) return []',
    replacement: '(!route || !contract) && !handler',
    reason:
      'checkImplementation has rejected such an operation before. The types make the compiler require the check.',
  },
  {
    file: 'packages/openapi/src/lib/server/implement.ts',
    line: 'if (!route || !contract || !handler) return []',
    original: '!route || !contract',
    replacement: 'false',
    reason:
      'checkImplementation has rejected such an operation before. The types make the compiler require the check.',
  },
  {
    file: 'packages/openapi/src/lib/server/implement.ts',
    line: 'if (!route || !contract || !handler) return []',
    replacement: '!route && !contract',
    reason:
      'checkImplementation has rejected such an operation before. The types make the compiler require the check.',
  },
  {
    file: 'packages/openapi/src/lib/server/implement.ts',
    line: 'if (!route || !contract || !handler) return []',
    replacement: '["Stryker was here"]',
    reason:
      'checkImplementation has rejected such an operation before. The types make the compiler require the check.',
  },
  {
    file: 'packages/openapi/src/lib/server/limit-body.ts',
    line: 'if (only !== undefined && others.length === 0) return only',
    original: 'only !== undefined && others.length === 0',
    replacement: 'false',
    reason: 'A single chunk is copied, which only takes time.',
  },
  {
    file: 'packages/openapi/src/lib/server/operation-handler.ts',
    line: '} catch {',
    original: '{',
    replacement: '{}',
    reason: 'Without a response, undefined has the same meaning as null.',
  },
  {
    file: 'packages/openapi/src/lib/server/reply.ts',
    line: 'if (others.length === 0 || accept === null) return first',
    original: 'others.length === 0',
    replacement: 'false',
    reason: 'Without others, the first type is the best.',
  },
  {
    file: 'packages/openapi/src/lib/server/write-content.ts',
    line: "return typeof value === 'object' && value !== null ? writeJson(value) : String(value)",
    original: 'value !== null',
    replacement: 'true',
    reason: 'Null is the same text in JSON.',
  },
  {
    file: 'packages/openapi/src/lib/client/path.ts',
    line: "const path = pattern.replace(/^[^/]*:\\/\\/[^/]*/, '').replace(/^\\/*/, '/')",
    original: '/^\\/*/',
    replacement: '/\\/*/',
    reason: 'The first match of an expression that matches the empty string begins at the start.',
  },
  {
    file: 'packages/openapi/src/lib/client/path.ts',
    line: "const PCHAR = /^[\\w\\-.~!$&'()*+,;=:@/]$/",
    replacement: "/[\\w\\-.~!$&'()*+,;=:@/]$/",
    reason: 'The text is one character.',
  },
  {
    file: 'packages/openapi/src/lib/client/path.ts',
    line: "const PCHAR = /^[\\w\\-.~!$&'()*+,;=:@/]$/",
    replacement: "/^[\\w\\-.~!$&'()*+,;=:@/]/",
    reason: 'The text is one character.',
  },
  {
    file: 'packages/openapi/src/lib/client/read-answer.ts',
    line: 'const problem = names.find((name) => problems[name]?.type === sent)',
    replacement: 'problems[name].type',
    reason:
      'Only names of problems that the manifest has are left. The compiler requires the operator.',
  },
  {
    file: 'packages/openapi/src/lib/routing/route-table.ts',
    line: 'if (last?.key !== key) last = { key, value: compute(key) }',
    original: 'last?.key !== key',
    replacement: 'true',
    reason: 'The cache only saves time: the same value is computed again.',
  },
  {
    file: 'packages/openapi/src/lib/document/build.ts',
    line: 'const blank = used.filter(({ name }) => !Object.hasOwn(problems, name))',
    original: 'used.filter(({ name }) => !Object.hasOwn(problems, name))',
    replacement: 'used',
    reason: 'A problem that has an entry in the catalog is added to it again.',
  },
  {
    file: 'packages/openapi/src/lib/document/components/name-definitions.ts',
    line: 'if (key !== null && open.has(key)) circles.set(key, open.get(key) ?? [])',
    original: '[]',
    replacement: '["Stryker was here"]',
    reason: 'The map has the key. The compiler requires the default.',
  },
  {
    file: 'packages/openapi/src/lib/document/components/name-definitions.ts',
    line: 'if (key !== null && open.has(key)) circles.set(key, open.get(key) ?? [])',
    original: 'key !== null',
    replacement: 'true',
    reason: 'The map does not have the key null. The type makes the compiler require the check.',
  },
  {
    file: 'packages/openapi/src/lib/schema/prepare.ts',
    line: 'return { ...kinds, list: list !== null }',
    original: 'list !== null',
    replacement: 'true',
    reason: 'A list has elements, whose kinds are compared as well.',
  },
  {
    file: 'packages/openapi/src/lib/schema/prepare.ts',
    line: 'return { ...kinds, list: list !== null }',
    original: 'list !== null',
    replacement: 'false',
    reason: 'A list has elements, whose kinds are compared as well.',
  },
]
