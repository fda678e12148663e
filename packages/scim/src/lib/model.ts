import type { ErrorType } from './error.ts'
import type { Expression } from './filter/tree.ts'

export type { ErrorType }

/** A value in a multi-valued attribute (RFC 7643 §2.4). */
export interface MultiValued {
  /** The significant value, such as an email address (RFC 7643 §2.4). */
  readonly value?: string | undefined
  /** The name to show for the value (RFC 7643 §2.4). */
  readonly display?: string | undefined
  /** The value's purpose, such as `work` or `home` (RFC 7643 §2.4). */
  readonly type?: string | undefined
  /** Whether this value is preferred; at most one is (RFC 7643 §2.4). */
  readonly primary?: boolean | undefined
}

/** A person's name in parts (RFC 7643 §4.1.1). */
export interface Name {
  /** The full name, with all parts, as shown to people. */
  readonly formatted?: string | undefined
  /** The family name, or last name in most Western languages. */
  readonly familyName?: string | undefined
  /** The given name, or first name in most Western languages. */
  readonly givenName?: string | undefined
  /** The middle names. */
  readonly middleName?: string | undefined
  /** Titles before the name, such as `Ms.`. */
  readonly honorificPrefix?: string | undefined
  /** The name's suffix, such as `III`. */
  readonly honorificSuffix?: string | undefined
}

/** A postal address (RFC 7643 §4.1.2). */
export interface Address {
  /** The whole address, as shown to people. It may contain line ends. */
  readonly formatted?: string | undefined
  /** The street, with house number and apartment. */
  readonly streetAddress?: string | undefined
  /** The city. */
  readonly locality?: string | undefined
  /** The state or region. */
  readonly region?: string | undefined
  /** The postal code. */
  readonly postalCode?: string | undefined
  /** The ISO 3166-1 country code, in two letters, such as `DE`. */
  readonly country?: string | undefined
  /** The address's purpose: `work`, `home` or `other`. */
  readonly type?: string | undefined
  /** Whether this address is preferred; at most one is. */
  readonly primary?: boolean | undefined
}

/** A group a user belongs to; read-only (RFC 7643 §4.1.2). */
export interface GroupMembership {
  /** The group's id. */
  readonly value?: string | undefined
  /** `$ref` on the wire. */
  readonly ref?: string | undefined
  /** The group's display name. */
  readonly display?: string | undefined
  /** `direct` or `indirect`. */
  readonly type?: string | undefined
}

/** The metadata a service provider sets on a resource; read-only (RFC 7643 §3.1). */
export interface Meta {
  /** The resource type's name, such as `User`. */
  readonly resourceType?: string | undefined
  /** When the resource was created. */
  readonly created?: Date | undefined
  /** When the resource was last changed. */
  readonly lastModified?: Date | undefined
  /** The resource's URL. */
  readonly location?: string | undefined
  /** The resource's entity tag. */
  readonly version?: string | undefined
}

/** The Enterprise User extension (RFC 7643 §4.3). */
export interface EnterpriseUser {
  /** The number the organization assigned to the user. */
  readonly employeeNumber?: string | undefined
  /** The user's cost center. */
  readonly costCenter?: string | undefined
  /** The organization's name. */
  readonly organization?: string | undefined
  /** The division's name. */
  readonly division?: string | undefined
  /** The department's name. */
  readonly department?: string | undefined
  /** The user's manager. */
  readonly manager?: {
    readonly value?: string | undefined
    /** `$ref` on the wire. */
    readonly ref?: string | undefined
    readonly displayName?: string | undefined
  }
}

/** Common attributes in every resource (RFC 7643 §3.1). */
export interface Common {
  /** The identifier the service provider assigned; read-only. */
  readonly id?: string | undefined
  /** The identifier the client assigned. */
  readonly externalId?: string | undefined
  /** The resource's metadata; read-only. */
  readonly meta?: Meta | undefined
}

/** A user (RFC 7643 §4.1). `extensions` holds each extension under the key it is read with. */
export interface User<Extensions = { readonly enterprise?: EnterpriseUser }> extends Common {
  /** The login name, unique among all users. */
  readonly userName: string
  /** The name in parts. */
  readonly name?: Name | undefined
  /** The user's name to show to people. */
  readonly displayName?: string | undefined
  /** The user's casual name. */
  readonly nickName?: string | undefined
  /** The URL of a page about the user. */
  readonly profileUrl?: string | undefined
  /** The job title, such as `Vice President`. */
  readonly title?: string | undefined
  /** The relationship to the organization, such as `Contractor`. */
  readonly userType?: string | undefined
  /** The language the user prefers, in the format of Accept-Language. */
  readonly preferredLanguage?: string | undefined
  /** The user's location, used to format dates and numbers, such as `en-US`. */
  readonly locale?: string | undefined
  /** The time zone's IANA name, such as `Europe/Berlin`. */
  readonly timezone?: string | undefined
  /** Whether the account can be used. */
  readonly active?: boolean | undefined
  /** Never returned. */
  readonly password?: string | undefined
  /** Email addresses. */
  readonly emails?: readonly MultiValued[] | undefined
  /** Phone numbers. */
  readonly phoneNumbers?: readonly MultiValued[] | undefined
  /** Instant messaging addresses. */
  readonly ims?: readonly MultiValued[] | undefined
  /** Picture URLs that show the user. */
  readonly photos?: readonly MultiValued[] | undefined
  /** Postal addresses. */
  readonly addresses?: readonly Address[] | undefined
  /** The groups the user belongs to; read-only. */
  readonly groups?: readonly GroupMembership[] | undefined
  /** Things the user is entitled to. */
  readonly entitlements?: readonly MultiValued[] | undefined
  /** The user's roles. */
  readonly roles?: readonly MultiValued[] | undefined
  /** Certificates: base64-encoded DER. */
  readonly x509Certificates?: readonly MultiValued[] | undefined
  /** The extensions (RFC 7643 §3.3). */
  readonly extensions: Extensions
}

/** A group member (RFC 7643 §4.2). */
export interface Member {
  /** The user's or group's id. */
  readonly value?: string | undefined
  /** `$ref` on the wire. */
  readonly ref?: string | undefined
  /** `User` or `Group`. */
  readonly type?: string | undefined
  /** The member's display name. */
  readonly display?: string | undefined
}

/** A group (RFC 7643 §4.2). */
export interface Group extends Common {
  /** The group's name to show to people. */
  readonly displayName: string
  /** The users and groups in the group. */
  readonly members?: readonly Member[] | undefined
}

/** A list request's query (RFC 7644 §3.4.2). */
export interface ListQuery {
  /** The filter each resource must match (RFC 7644 §3.4.2.2). */
  readonly filter?: Expression | undefined
  /** The cursor where a page starts, empty for the first page. Absent for a page by index (RFC 9865 §2). */
  readonly cursor?: string | undefined
  /** The first resource's position, from 1. It is 1 if there is a cursor. */
  readonly startIndex: number
  /** The maximum number of resources. */
  readonly count: number
  /** The attribute path to sort by (RFC 7644 §3.4.2.3). */
  readonly sortBy?: string | undefined
  /** The sort order; ascending by default (RFC 7644 §3.4.2.3). */
  readonly sortOrder: 'ascending' | 'descending'
  /** The only attributes to return, in addition to those always returned. */
  readonly attributes?: readonly string[] | undefined
  /** The attributes not to return, unless they are always returned (RFC 7644 §3.9). */
  readonly excludedAttributes?: readonly string[] | undefined
}

/** A page of resources, by index (RFC 7644 §3.4.2.4). */
export interface Page<Resource> {
  /** This page's resources. */
  readonly resources: readonly Resource[]
  /** How many resources match, on all pages. */
  readonly totalResults: number
  /** The first resource's position, from 1. */
  readonly startIndex: number
}

/** A page of resources, by cursor (RFC 9865 §2). */
export interface CursorPage<Resource> {
  /** This page's resources. */
  readonly resources: readonly Resource[]
  /** How many resources match, on all pages. Absent if they were not counted. */
  readonly totalResults?: number | undefined
  /** The next page's cursor. Absent on the last page. */
  readonly nextCursor?: string | undefined
  /** The previous page's cursor. */
  readonly previousCursor?: string | undefined
  /** A page by cursor does not have a position. */
  readonly startIndex?: undefined
}
