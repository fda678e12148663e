/** A mutant that no test can catch, because the mutated program does the same. */
export interface Equivalent {
  readonly file: string
  /** The source line, without the white space around it. */
  readonly line: string
  /** The source text that is replaced, if several texts of the line have this replacement. */
  readonly original?: string
  /** Where the mutant begins in `line`, from 0, if the line has the same text several times. */
  readonly column?: number
  /** The text that Stryker puts in. */
  readonly replacement: string
  readonly reason: string
}

export const EQUIVALENT: readonly Equivalent[] = [
  {
    file: 'packages/openapi/src/lib/http/urlencoded.ts',
    line: "const isEncoded = text.includes('%')",
    replacement: '""',
    reason: 'URLSearchParams reads such a text the same way, only slower.',
  },
  {
    file: 'packages/openapi/src/lib/http/urlencoded.ts',
    line: "if (!isEncoded) return text.replaceAll('+', ' ')",
    replacement: 'false',
    reason: 'URLSearchParams reads such a text the same way, only slower.',
  },
  {
    file: 'packages/openapi/src/lib/http/urlencoded.ts',
    line: "return parameters.get('') ?? ''",
    column: 29,
    replacement: '"Stryker was here!"',
    reason: 'The text that is read begins with "=", so that the empty name always has a value.',
  },
  {
    file: 'packages/openapi/src/lib/request/receive.ts',
    line: 'return from < 0 ? new Map() : groupByName(parseUrlencoded(target.slice(from + 1)))',
    replacement: 'from <= 0',
    reason: 'The URL of a request is absolute, so that it never begins with a question mark.',
  },
  {
    file: 'packages/openapi/src/lib/request/receive.ts',
    line: 'const target = fragment < 0 ? url : url.slice(0, fragment)',
    replacement: 'fragment <= 0',
    reason: 'The URL of a request is absolute, so that it never begins with a number sign.',
  },
  {
    file: 'packages/openapi/src/lib/request/prepare.ts',
    line: "return { kind: 'by-media-type', types: JSON_RANGES.map((range) => ({ range, schema })) }",
    original: "'by-media-type'",
    replacement: '""',
    reason: 'Only the kind "file" is compared. The compiler rejects any other value.',
  },
  {
    file: 'packages/openapi/src/lib/request/prepare.ts',
    line: "return { kind: 'by-media-type', types }",
    original: "'by-media-type'",
    replacement: '""',
    reason: 'Only the kind "file" is compared. The compiler rejects any other value.',
  },
  {
    file: 'packages/openapi/src/lib/document/components/name-definitions.ts',
    line: 'if (key !== ROOT) names.set(key, name)',
    replacement: 'true',
    reason: 'The root is not a member of $defs, so that its name is never looked up by a key.',
  },
  {
    file: 'packages/openapi/src/lib/document/components/equal-schemas.ts',
    line: 'for (let steps = 0; steps < 32; steps += 1) {',
    replacement: 'steps <= 32',
    reason: 'The bound only ends circles of references, for which any number of steps is enough.',
  },
  {
    file: 'packages/openapi/src/lib/text/position.ts',
    line: 'const counts: (number | null)[] = []',
    replacement: '["Stryker was here"]',
    reason:
      'The first event is a document, which is not a collection, so that no count is compared.',
  },
  {
    file: 'packages/openapi/src/lib/text/position.ts',
    line: 'for (let next = at; next < events.length; next += 1) {',
    replacement: 'next <= events.length',
    reason: 'Each collection is closed by an event, so that the loop returns before the end.',
  },
  {
    file: 'packages/scim/src/lib/filter/compile.ts',
    line: 'if (attributeIndex(definitions).schemas.size === 1) return first',
    replacement: 'false',
    reason: 'With one schema, definitionsFor returns the same definitions.',
  },
  {
    file: 'packages/scim/src/lib/data-table/predicate.ts',
    line: 'if (predicates.length <= FAN_OUT)',
    replacement: 'predicates.length < FAN_OUT',
    reason: 'A list of 16 is divided into 16 parts of one, and a part of one is its predicate.',
  },
  {
    file: 'packages/scim/src/lib/data-table/cost.ts',
    line: "case 'between':",
    replacement: '""',
    reason: 'No filter becomes a "between". The case only makes the switch total.',
  },
  {
    file: 'packages/scim/src/lib/data-table/translate.ts',
    line: "residual.type === 'logical' && residual.operator === 'and' ? residual.operands : [residual],",
    original: "residual.type === 'logical'",
    replacement: 'true',
    reason: 'Only logical expressions have the operator "and". The type makes the compiler agree.',
  },
  {
    file: 'packages/scim/src/lib/bulk/run.ts',
    line: "if (method === 'POST' && bulkId !== null) started.add(bulkId)",
    replacement: 'true',
    original: "method === 'POST' && bulkId !== null",
    reason:
      'A bulkId is unique. That of another method is not known, and never looked up in `started`.',
  },
  {
    file: 'packages/scim/src/lib/bulk/dependency-order.ts',
    line: 'if (known !== undefined && time !== undefined && time < known) earliest.set(node, time)',
    replacement: 'time <= known',
    reason: 'An equal time is stored again.',
  },
  {
    file: 'packages/scim/src/lib/bulk/dependency-order.ts',
    line: 'const target = dependencies[node]?.[visit.next]',
    replacement: 'dependencies[node][visit.next]',
    reason: 'Every node is a position of the list. The compiler requires the operator.',
  },
  {
    file: 'apps/directory/src/app.ts',
    line: 'if (time !== last.time) last = { time, text: new Date(time).toISOString() }',
    replacement: 'true',
    reason: 'The cache only saves time: the same time is formatted again.',
  },
  {
    file: 'apps/directory/src/store/engines/fair-scans.ts',
    line: "return (work, { signal, tenantId = '' } = {}) =>",
    original: "''",
    replacement: '"Stryker was here!"',
    reason: 'Any string that is not the id of a tenant is a queue of its own.',
  },
  {
    file: 'apps/directory/src/store/json/json-store.ts',
    line: 'if (content === null || changed === null || changed.version === row.version) return current',
    original: 'content === null',
    replacement: 'false',
    reason: 'Only content makes columns that changed. The compiler requires both checks.',
  },
  {
    file: 'apps/directory/src/store/json/json-store.ts',
    line: 'if (content === null || changed === null || changed.version === row.version) return current',
    original: 'changed === null',
    replacement: 'false',
    reason: 'Only content makes columns that changed. The compiler requires both checks.',
  },
  {
    file: 'packages/openapi/src/lib/schema/transforms.ts',
    line: "if (type !== 'pipe' || first?._zod.def.type !== 'transform') return",
    replacement: 'first._zod',
    reason: 'A pipe has an input. The compiler requires the operator for the other types.',
  },
  {
    file: 'packages/openapi/src/lib/serve/negotiate.ts',
    line: "for (const part of accept.replace(QUOTED, '').split(',')) {",
    original: "''",
    replacement: '"Stryker was here!"',
    reason: 'A quoted string is the value of a parameter. As a weight, neither text is a number.',
  },
  {
    file: 'packages/openapi/src/lib/text/parse.ts',
    line: "if (typeof number === 'number' && !Number.isFinite(number)) throw new RangeError()",
    original: "typeof number === 'number' && !Number.isFinite(number)",
    replacement: 'true',
    reason: 'A text that fails here is read again by the slower parser, with the same result.',
  },
  {
    file: 'packages/openapi/src/lib/text/parse.ts',
    line: "if (typeof number === 'number' && !Number.isFinite(number)) throw new RangeError()",
    original: "typeof number === 'number'",
    replacement: 'true',
    reason: 'A text that fails here is read again by the slower parser, with the same result.',
  },
  {
    file: 'packages/openapi/src/lib/text/parse.ts',
    line: "if (typeof number === 'number' && !Number.isFinite(number)) throw new RangeError()",
    original: '!Number.isFinite(number)',
    replacement: 'true',
    reason: 'A text that fails here is read again by the slower parser, with the same result.',
  },
  {
    file: 'packages/openapi/src/lib/text/parse.ts',
    line: 'const LARGE_NUMBER = /\\d{200}|[eE]\\+?\\d{3}/',
    replacement: '/\\d{200}|[eE]\\+?\\d/',
    reason: 'More texts are searched for infinite numbers, which takes time and finds the same.',
  },
  {
    file: 'packages/openapi/src/lib/text/position.ts',
    line: 'return []',
    replacement: '["Stryker was here"]',
    reason: 'A single value that is not an event does not have a type or a position.',
  },
  {
    file: 'packages/openapi/src/lib/conformance/read-content.ts',
    line: '} catch {',
    original: '{\n    // A body that fails is not empty.\n    return false\n  }',
    replacement: '{}',
    reason: 'Without a result, the body also counts as not empty.',
  },
  {
    file: 'apps/directory/src/app.ts',
    line: "let last = { time: Number.NaN, text: '' }",
    replacement: '{}',
    reason: 'No time equals NaN or undefined, so that the first one is formatted.',
  },
  {
    file: 'apps/directory/src/app.ts',
    line: 'if (!isHead && !isTrailing) return request',
    original: '!isHead && !isTrailing',
    replacement: 'false',
    reason: 'A copy of the request is answered the same, only slower.',
  },
  {
    file: 'packages/openapi/src/lib/schema/shape/shape.ts',
    line: 'if (node === null) return true',
    original: 'node === null',
    replacement: 'false',
    reason: 'Nothing is known about the types of such a schema, which is checked again below.',
  },
  {
    file: 'packages/openapi/src/lib/schema/patterns.ts',
    line: "const reason = error instanceof Error ? error.message.replace(/^.*: /s, '') : String(error)",
    original: '/^.*: /s',
    replacement: '/.*: /s',
    reason: 'The first match of a greedy pattern begins at the start.',
  },
  {
    file: 'apps/directory/src/store/json/json-views.ts',
    line: 'return rows.slice(0, values.length).map((row, at) => ({ row, values: values[at] ?? [] }))',
    original: '[]',
    replacement: '["Stryker was here"]',
    reason: 'Each of these rows has values. The compiler requires the default.',
  },
  {
    file: 'apps/directory/src/store/list/filters.ts',
    line: "conjunct.type === 'compare' &&",
    original: "conjunct.type === 'compare'",
    replacement: 'true',
    reason: 'Only a comparison has the operator "eq". The type makes the compiler agree.',
  },
  {
    file: 'apps/directory/src/store/tokens.ts',
    line: 'return last_used_at === null || now - last_used_at >= MINUTE',
    original: 'last_used_at === null',
    replacement: 'false',
    reason: 'Null counts as 0, which is more than a minute ago.',
  },
]
