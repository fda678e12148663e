import type { ErrorType } from './error.ts'
import type { Expression } from './filter/tree.ts'

export type { ErrorType }

/** One value of a multi-valued attribute (RFC 7643 §2.4). */
export interface MultiValued {
  readonly value?: string | undefined
  readonly display?: string | undefined
  readonly type?: string | undefined
  readonly primary?: boolean | undefined
}

/** The parts of a name (RFC 7643 §4.1.1). */
export interface Name {
  readonly formatted?: string | undefined
  readonly familyName?: string | undefined
  readonly givenName?: string | undefined
  readonly middleName?: string | undefined
  readonly honorificPrefix?: string | undefined
  readonly honorificSuffix?: string | undefined
}

/** A postal address (RFC 7643 §4.1.2). */
export interface Address {
  readonly formatted?: string | undefined
  readonly streetAddress?: string | undefined
  readonly locality?: string | undefined
  readonly region?: string | undefined
  readonly postalCode?: string | undefined
  readonly country?: string | undefined
  readonly type?: string | undefined
  readonly primary?: boolean | undefined
}

/** A group that a user belongs to; read-only (RFC 7643 §4.1.2). */
export interface GroupMembership {
  readonly value?: string | undefined
  /** `$ref` on the wire. */
  readonly ref?: string | undefined
  readonly display?: string | undefined
  /** `direct` or `indirect`. */
  readonly type?: string | undefined
}

/** The metadata that a service provider sets on a resource; read-only (RFC 7643 §3.1). */
export interface Meta {
  readonly resourceType?: string | undefined
  readonly created?: Date | undefined
  readonly lastModified?: Date | undefined
  readonly location?: string | undefined
  /** The entity tag of the resource. */
  readonly version?: string | undefined
}

/** The Enterprise User extension (RFC 7643 §4.3). */
export interface EnterpriseUser {
  readonly employeeNumber?: string | undefined
  readonly costCenter?: string | undefined
  readonly organization?: string | undefined
  readonly division?: string | undefined
  readonly department?: string | undefined
  readonly manager?: {
    readonly value?: string | undefined
    /** `$ref` on the wire. */
    readonly ref?: string | undefined
    readonly displayName?: string | undefined
  }
}

/** The common attributes of every resource (RFC 7643 §3.1). */
export interface Common {
  readonly id?: string | undefined
  readonly externalId?: string | undefined
  readonly meta?: Meta | undefined
}

/** A user (RFC 7643 §4.1). `extensions` holds each extension by the key under which it is read. */
export interface User<Extensions = { readonly enterprise?: EnterpriseUser }> extends Common {
  readonly userName: string
  readonly name?: Name | undefined
  readonly displayName?: string | undefined
  readonly nickName?: string | undefined
  readonly profileUrl?: string | undefined
  readonly title?: string | undefined
  readonly userType?: string | undefined
  readonly preferredLanguage?: string | undefined
  readonly locale?: string | undefined
  readonly timezone?: string | undefined
  readonly active?: boolean | undefined
  /** Never part of a response. */
  readonly password?: string | undefined
  readonly emails?: readonly MultiValued[] | undefined
  readonly phoneNumbers?: readonly MultiValued[] | undefined
  readonly ims?: readonly MultiValued[] | undefined
  readonly photos?: readonly MultiValued[] | undefined
  readonly addresses?: readonly Address[] | undefined
  readonly groups?: readonly GroupMembership[] | undefined
  readonly entitlements?: readonly MultiValued[] | undefined
  readonly roles?: readonly MultiValued[] | undefined
  readonly x509Certificates?: readonly MultiValued[] | undefined
  readonly extensions: Extensions
}

/** A member of a group (RFC 7643 §4.2). */
export interface Member {
  /** The id of a user or group. */
  readonly value?: string | undefined
  /** `$ref` on the wire. */
  readonly ref?: string | undefined
  /** `User` or `Group`. */
  readonly type?: string | undefined
  readonly display?: string | undefined
}

/** A group (RFC 7643 §4.2). */
export interface Group extends Common {
  readonly displayName: string
  readonly members?: readonly Member[] | undefined
}

/** The query of a list request (RFC 7644 §3.4.2). */
export interface ListQuery {
  readonly filter?: Expression | undefined
  /** The start of a page by cursor, empty for the first page. Absent for a page by index (RFC 9865 §2). */
  readonly cursor?: string | undefined
  /** The position of the first resource, from 1. It is 1 if there is a cursor. */
  readonly startIndex: number
  /** The maximum number of resources. */
  readonly count: number
  readonly sortBy?: string | undefined
  readonly sortOrder: 'ascending' | 'descending'
  /** The only attributes to return, in addition to those that are always returned. */
  readonly attributes?: readonly string[] | undefined
  readonly excludedAttributes?: readonly string[] | undefined
}

/** One page of resources, by index. */
export interface Page<Resource> {
  readonly resources: readonly Resource[]
  /** How many resources match, on all pages. */
  readonly totalResults: number
  /** The position of the first resource of this page, from 1. */
  readonly startIndex: number
}

/** One page of resources, by cursor (RFC 9865 §2). */
export interface CursorPage<Resource> {
  readonly resources: readonly Resource[]
  /** How many resources match, on all pages. Absent if they were not counted. */
  readonly totalResults?: number | undefined
  /** The cursor of the next page. Absent on the last page. */
  readonly nextCursor?: string | undefined
  /** The cursor of the previous page. */
  readonly previousCursor?: string | undefined
  readonly startIndex?: undefined
}
