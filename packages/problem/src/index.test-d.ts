import { expectTypeOf } from 'vitest'
import { z } from 'zod'
import * as mini from 'zod/mini'
import {
  type AnyProblemCatalog,
  defineProblems,
  type ExtensionsSchema,
  type InputError,
  type InputIssue,
  ISSUES_SCHEMA,
  type Issue,
  type IssueLocation,
  issuesFrom,
  type ProblemOptions,
  type ProblemSpec,
} from './index.ts'
import type { ISSUES_SCHEMA as ZOD_SCHEMA } from './zod.ts'
import { toStandardJsonSchema } from './zod-mini.ts'

const problems = defineProblems('https://example.com/problems/', {
  notFound: { slug: 'not-found', status: 404, title: 'Not found' },
  outOfCredit: {
    slug: 'out-of-credit',
    status: 403,
    title: 'Not enough credit',
    extensions: z.object({ balance: z.number(), since: z.string().optional() }),
  },
  busy: {
    slug: 'busy',
    status: 503,
    title: 'Busy',
    extensions: z.object({ queue: z.number().optional() }),
  },
  converted: {
    slug: 'converted',
    status: 409,
    title: 'Converted',
    extensions: z.object({ at: z.iso.datetime().transform((text) => new Date(text)) }),
  },
})

// The names and the status of an entry are literals.
expectTypeOf<keyof typeof problems>().toEqualTypeOf<
  'notFound' | 'outOfCredit' | 'busy' | 'converted'
>()
expectTypeOf(problems.notFound.status).toEqualTypeOf<404>()
expectTypeOf(problems.busy.status).toEqualTypeOf<503>()
expectTypeOf(problems.notFound.type).toEqualTypeOf<'https://example.com/problems/not-found'>()
expectTypeOf(problems.notFound()).toEqualTypeOf<Response>()

// @ts-expect-error the catalog does not have an entry of that name
problems.notHere()
// @ts-expect-error an entry cannot be replaced
problems.notFound = problems.busy
// @ts-expect-error the properties of an entry cannot be replaced
problems.notFound.title = 'Gone'

// Without extensions everything is optional.
problems.notFound({})
problems.notFound({ detail: 'x', instance: '/x', headers: { 'Retry-After': '1' } })
// @ts-expect-error this problem does not declare extensions
problems.notFound({ extensions: { balance: 30 } })
// @ts-expect-error detail is a string
problems.notFound({ detail: 7 })
// @ts-expect-error the status is the entry's own
problems.notFound({ status: 410 })

// Extensions are required if one of their members is required.
problems.outOfCredit({ extensions: { balance: 30 } })
problems.outOfCredit({ extensions: { balance: 30, since: '2026-01-01' } })
// @ts-expect-error this problem requires extensions
problems.outOfCredit()
// @ts-expect-error this problem requires extensions
problems.outOfCredit({ detail: 'x' })
// @ts-expect-error balance is required
problems.outOfCredit({ extensions: {} })
// @ts-expect-error balance is a number
problems.outOfCredit({ extensions: { balance: '30' } })
// @ts-expect-error an undeclared extension
problems.outOfCredit({ extensions: { balance: 30, currency: 'EUR' } })
problems.busy()
problems.busy({ extensions: {} })
problems.busy({ extensions: { queue: 3 } })
// @ts-expect-error queue is a number
problems.busy({ extensions: { queue: '3' } })

// The value of an extension is the value that is sent.
problems.converted({ extensions: { at: '2026-01-01T00:00:00Z' } })
// @ts-expect-error the schema returns a Date, but does not accept one
problems.converted({ extensions: { at: new Date() } })

// @ts-expect-error an entry needs a status
defineProblems('https://example.com/', { a: { slug: 'a', title: 'A' } })
// @ts-expect-error an entry needs a title
defineProblems('https://example.com/', { a: { slug: 'a', status: 400 } })
// @ts-expect-error extensions are schemas
expectTypeOf({ slug: 'a', status: 400, title: 'A', extensions: { a: 1 } }).toExtend<ProblemSpec>()

// In a record, the members whose schemas accept undefined are optional.
const recorded = defineProblems('https://example.com/', {
  invalid: {
    slug: 'invalid',
    status: 422,
    title: 'Invalid',
    extensions: { errors: ISSUES_SCHEMA, trace: z.string().optional() },
  },
  busy: {
    slug: 'busy',
    status: 503,
    title: 'Busy',
    extensions: { queue: z.number().optional() },
  },
})
const errors: Issue[] = []
recorded.invalid({ extensions: { errors } })
recorded.invalid({ extensions: { errors, trace: 'a' } })
// @ts-expect-error errors are required
recorded.invalid({ extensions: { trace: 'a' } })
// @ts-expect-error this problem requires extensions
recorded.invalid()
// @ts-expect-error trace is a string
recorded.invalid({ extensions: { errors, trace: 7 } })
// @ts-expect-error an undeclared extension
recorded.invalid({ extensions: { errors, other: 7 } })
recorded.busy()
expectTypeOf(recorded).toExtend<AnyProblemCatalog>()

expectTypeOf(problems).toExtend<AnyProblemCatalog>()
expectTypeOf(defineProblems('https://example.com/', {})).toExtend<AnyProblemCatalog>()
expectTypeOf<ProblemOptions<ProblemSpec>['detail']>().toEqualTypeOf<string | undefined>()

expectTypeOf<z.infer<typeof ZOD_SCHEMA>[number]['location']>().toEqualTypeOf<IssueLocation>()
expectTypeOf<Issue[]>().toExtend<z.input<typeof ZOD_SCHEMA>>()
expectTypeOf(issuesFrom).parameter(0).toEqualTypeOf<InputError | readonly InputIssue[]>()
expectTypeOf(issuesFrom).returns.toEqualTypeOf<Issue[]>()

// A converted schema of zod Mini has the types of the schema itself.
const credit = toStandardJsonSchema(mini.object({ balance: mini._default(mini.number(), 0) }))
expectTypeOf(credit.schema).toEqualTypeOf<
  mini.ZodMiniObject<{ balance: mini.ZodMiniDefault<mini.ZodMiniNumber<number>> }, z.core.$strip>
>()
const ofMini = defineProblems('https://example.com/', {
  credit: { slug: 'credit', status: 403, title: 'Credit', extensions: credit },
})
ofMini.credit({ extensions: { balance: 5 } })
ofMini.credit({ extensions: {} })
// @ts-expect-error balance is a number
ofMini.credit({ extensions: { balance: '5' } })
// @ts-expect-error a schema of zod Mini does not convert itself
expectTypeOf(mini.object({})).toExtend<ExtensionsSchema>()
