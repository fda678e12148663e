import { type Result, unwrap } from '@plumbline/result'
import { expectTypeOf } from 'vitest'
import { z } from 'zod'
import {
  type ExtensionSchemas,
  groupResource,
  type InferExtensions,
  listResponse,
  matchesVersion,
  parseGroup,
  parseListQuery,
  parseSearchRequest,
  parseUser,
  readBody,
  type Scim,
  ScimError,
  userResource,
} from './index.ts'

declare const body: unknown

// The default reads the Enterprise User under `enterprise`.
expectTypeOf(parseUser(body)).toEqualTypeOf<Result<Scim.User, ScimError>>()
expectTypeOf(parseUser(body, {})).toEqualTypeOf<Result<Scim.User, ScimError>>()
expectTypeOf(parseUser(body, { extensions: undefined })).toEqualTypeOf<
  Result<Scim.User, ScimError>
>()
const user = unwrap(parseUser(body))
expectTypeOf(user.extensions).toEqualTypeOf<{ readonly enterprise?: Scim.EnterpriseUser }>()
expectTypeOf(user.extensions.enterprise?.department).toEqualTypeOf<string | undefined>()
expectTypeOf(user.userName).toEqualTypeOf<string>()
expectTypeOf(user.name?.givenName).toEqualTypeOf<string | undefined>()
expectTypeOf(user.emails?.[0]?.primary).toEqualTypeOf<boolean | undefined>()
// A member without a definition is neither read nor written.
expectTypeOf<keyof Scim.MultiValued>().toEqualTypeOf<'value' | 'display' | 'type' | 'primary'>()
expectTypeOf(user.groups?.[0]?.ref).toEqualTypeOf<string | undefined>()
expectTypeOf(user.meta?.created).toEqualTypeOf<Date | undefined>()

// Extensions that the caller passes replace it: each key has the output of its schema.
const extensions = {
  badge: {
    urn: 'urn:example:2.0:Badge',
    schema: z.object({ level: z.string().transform(Number), note: z.string().optional() }),
  },
  plain: { urn: 'urn:example:2.0:Plain', schema: z.unknown() },
}
type Badge = { level: number; note?: string | undefined }
type Extensions = InferExtensions<typeof extensions>
expectTypeOf<Extensions>().toEqualTypeOf<{ readonly badge?: Badge; readonly plain?: unknown }>()
expectTypeOf(extensions).toExtend<ExtensionSchemas>()

const badged = unwrap(parseUser(body, { extensions }))
expectTypeOf(badged).toEqualTypeOf<Scim.User<Extensions>>()
expectTypeOf(badged.extensions.badge?.level).toEqualTypeOf<number | undefined>()
// @ts-expect-error the default is replaced, not added to
badged.extensions.enterprise
// @ts-expect-error an extension may be absent
badged.extensions.badge.level
expectTypeOf(unwrap(parseUser(body, { extensions: {} })).extensions).toEqualTypeOf<
  InferExtensions<Record<never, never>>
>()

// A map that is written in place keeps its keys.
const inPlace = parseUser(body, {
  extensions: { badge: { urn: 'urn:x', schema: z.object({ level: z.number() }) } },
})
expectTypeOf(unwrap(inPlace).extensions.badge).toEqualTypeOf<{ level: number } | undefined>()

// @ts-expect-error an extension needs a URN
parseUser(body, { extensions: { badge: { schema: z.unknown() } } })
// @ts-expect-error and a Standard Schema
parseUser(body, { extensions: { badge: { urn: 'urn:x', schema: (value: unknown) => value } } })

// Every user can be written, whatever its extensions.
expectTypeOf(userResource(user)).toEqualTypeOf<Record<string, unknown>>()
userResource(badged, { extensions })
userResource({ userName: 'b', extensions: {} })
// @ts-expect-error userName is required (RFC 7643 §4.1.1)
userResource({ extensions: {} })
// @ts-expect-error a model is not changed in place
user.userName = 'c'
// @ts-expect-error nor are its lists
user.emails?.push({ value: 'x' })
// @ts-expect-error $ref is a name of the wire, ref of the model
user.groups?.[0]?.$ref

expectTypeOf(parseGroup(body)).toEqualTypeOf<Result<Scim.Group, ScimError>>()
expectTypeOf(unwrap(parseGroup(body)).members).toEqualTypeOf<readonly Scim.Member[] | undefined>()
groupResource({ displayName: 'Guides', members: [{ value: '1', ref: '/Users/1' }] })
// @ts-expect-error displayName is required (erratum 5368)
groupResource({ members: [] })

expectTypeOf(readBody).returns.resolves.toEqualTypeOf<Result<unknown, ScimError>>()
expectTypeOf(parseListQuery).returns.toEqualTypeOf<Result<Scim.ListQuery, ScimError>>()
expectTypeOf(parseSearchRequest).returns.toEqualTypeOf<Result<Scim.ListQuery, ScimError>>()
expectTypeOf<Scim.ListQuery['sortOrder']>().toEqualTypeOf<'ascending' | 'descending'>()
expectTypeOf(matchesVersion).returns.toEqualTypeOf<boolean>()

expectTypeOf(new ScimError(400, 'no').scimType).toEqualTypeOf<Scim.ErrorType | null>()
// @ts-expect-error the detail codes are those of RFC 7644 Table 9 and RFC 9865 §2
new ScimError(400, 'no', { scimType: 'invalid' })

const page = { resources: [1, 2], totalResults: 2, startIndex: 1 }
listResponse(page, (one) => {
  expectTypeOf(one).toEqualTypeOf<number>()
  return { id: String(one) }
})
// @ts-expect-error a resource is an object
listResponse(page, String)
listResponse({ resources: [1], nextCursor: 'x' }, (one) => ({ id: String(one) }))
// @ts-expect-error a page by cursor does not have a startIndex (RFC 9865 §2)
listResponse({ resources: [1], startIndex: 1, nextCursor: 'x' }, () => ({}))
// @ts-expect-error a page by index counts its resources (RFC 7644 §3.4.2)
listResponse({ resources: [1], startIndex: 1 }, () => ({}))
expectTypeOf<Scim.ListQuery['cursor']>().toEqualTypeOf<string | undefined>()

// With exactOptionalPropertyTypes, an option and an attribute may be undefined explicitly.
new ScimError(400, 'no', { scimType: undefined, cause: undefined })
readBody(new Request('http://localhost'), { limit: undefined })
parseListQuery(new URL('http://localhost'), {
  defaultCount: undefined,
  maxCount: undefined,
  attributes: undefined,
})
parseSearchRequest(body, { maxCount: undefined })
userResource(
  { userName: 'b', title: undefined, emails: undefined, extensions: {} },
  {
    extensions: undefined,
  },
)
groupResource({ displayName: 'Guides', externalId: undefined, members: [{ ref: undefined }] })
listResponse({ resources: [1], nextCursor: undefined, totalResults: undefined }, () => ({}))
