/** Type tests for problem URIs. `tsc` checks this file; it does not run. */
import { expectTypeOf } from 'vitest'
import { defineProblems } from './catalog.ts'
import type { BASES, SLUGS } from './type-uri.cases.ts'
import type { TypeUri } from './type-uri.ts'

expectTypeOf<TypeUri<(typeof BASES)[number], 'a'>>().toEqualTypeOf<string>()
expectTypeOf<TypeUri<'https://example.com/', (typeof SLUGS)[number]>>().toEqualTypeOf<string>()
expectTypeOf<TypeUri<string, 'a'>>().toEqualTypeOf<string>()
expectTypeOf<TypeUri<`https://${string}/`, 'a'>>().toEqualTypeOf<string>()
expectTypeOf<TypeUri<'https://example.com/', `a${string}`>>().toEqualTypeOf<string>()

const same = { slug: 'not-found', status: 404, title: 'Not found' } as const
const url = new URL('https://example.com')
expectTypeOf(defineProblems(url, { same }).same.type).toEqualTypeOf<string>()
expectTypeOf(defineProblems(url.href, { same }).same.type).toEqualTypeOf<string>()
