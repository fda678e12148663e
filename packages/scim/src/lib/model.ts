import type { ErrorType } from './error.ts'
import type { Expression } from './filter/tree.ts'

export type { ErrorType }

/** One value of a multi-valued attribute (RFC 7643 §2.4). */
export interface MultiValued {
  readonly value?: string
  readonly display?: string
  readonly type?: string
  readonly primary?: boolean
}

/** The parts of a name (RFC 7643 §4.1.1). */
export interface Name {
  readonly formatted?: string
  readonly familyName?: string
  readonly givenName?: string
  readonly middleName?: string
  readonly honorificPrefix?: string
  readonly honorificSuffix?: string
}

/** A postal address (RFC 7643 §4.1.2). */
export interface Address {
  readonly formatted?: string
  readonly streetAddress?: string
  readonly locality?: string
  readonly region?: string
  readonly postalCode?: string
  readonly country?: string
  readonly type?: string
  readonly primary?: boolean
}

/** A group that a user belongs to; read-only (RFC 7643 §4.1.2). */
export interface GroupMembership {
  readonly value?: string
  /** `$ref` on the wire. */
  readonly ref?: string
  readonly display?: string
  /** `direct` or `indirect`. */
  readonly type?: string
}

/** What a service provider says about a resource; read-only (RFC 7643 §3.1). */
export interface Meta {
  readonly resourceType?: string
  readonly created?: Date
  readonly lastModified?: Date
  readonly location?: string
  /** The entity tag of the resource. */
  readonly version?: string
}

/** The Enterprise User extension (RFC 7643 §4.3). */
export interface EnterpriseUser {
  readonly employeeNumber?: string
  readonly costCenter?: string
  readonly organization?: string
  readonly division?: string
  readonly department?: string
  readonly manager?: {
    readonly value?: string
    /** `$ref` on the wire. */
    readonly ref?: string
    readonly displayName?: string
  }
}

/** What every resource has (RFC 7643 §3.1). */
export interface Common {
  readonly id?: string
  readonly externalId?: string
  readonly meta?: Meta
}

/** A user (RFC 7643 §4.1); `extensions` by the keys under which they are read. */
export interface User<Extensions = { readonly enterprise?: EnterpriseUser }> extends Common {
  readonly userName: string
  readonly name?: Name
  readonly displayName?: string
  readonly nickName?: string
  readonly profileUrl?: string
  readonly title?: string
  readonly userType?: string
  readonly preferredLanguage?: string
  readonly locale?: string
  readonly timezone?: string
  readonly active?: boolean
  /** Never part of a response. */
  readonly password?: string
  readonly emails?: readonly MultiValued[]
  readonly phoneNumbers?: readonly MultiValued[]
  readonly ims?: readonly MultiValued[]
  readonly photos?: readonly MultiValued[]
  readonly addresses?: readonly Address[]
  readonly groups?: readonly GroupMembership[]
  readonly entitlements?: readonly MultiValued[]
  readonly roles?: readonly MultiValued[]
  readonly x509Certificates?: readonly MultiValued[]
  readonly extensions: Extensions
}

/** A member of a group (RFC 7643 §4.2). */
export interface Member {
  /** The id of a user or group. */
  readonly value?: string
  /** `$ref` on the wire. */
  readonly ref?: string
  /** `User` or `Group`. */
  readonly type?: string
  readonly display?: string
}

/** A group (RFC 7643 §4.2). */
export interface Group extends Common {
  readonly displayName: string
  readonly members?: readonly Member[]
}

/** What a client asks of a list (RFC 7644 §3.4.2). */
export interface ListQuery {
  readonly filter?: Expression | undefined
  /** Where a page by cursor goes on, empty for the first one; absent of a page by index (RFC 9865 §2). */
  readonly cursor?: string | undefined
  /** The place of the first resource, from 1; 1 beside a cursor. */
  readonly startIndex: number
  /** How many resources at most. */
  readonly count: number
  readonly sortBy?: string | undefined
  readonly sortOrder: 'ascending' | 'descending'
  /** The only attributes to return, next to those that are always returned. */
  readonly attributes?: readonly string[] | undefined
  readonly excludedAttributes?: readonly string[] | undefined
}

/** One page of resources, by index. */
export interface Page<Resource> {
  readonly resources: readonly Resource[]
  /** How many resources match, on all pages. */
  readonly totalResults: number
  /** The place of the first resource of this page, from 1. */
  readonly startIndex: number
}

/** One page of resources, by cursor (RFC 9865 §2). */
export interface CursorPage<Resource> {
  readonly resources: readonly Resource[]
  /** How many resources match, on all pages; left out where nobody counted them. */
  readonly totalResults?: number | undefined
  /** Where the next page goes on; left out of the last page alone. */
  readonly nextCursor?: string | undefined
  /** Where the page before goes on. */
  readonly previousCursor?: string | undefined
  readonly startIndex?: undefined
}
