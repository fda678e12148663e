import { ENTERPRISE_USER_SCHEMA, GROUP_SCHEMA, USER_SCHEMA } from '../constants.ts'
import type { Attribute, SchemaDefinition } from './types.ts'

type Rest = Omit<Partial<Attribute>, 'name' | 'description'>

/** Defines a single-valued attribute. RFC 7643 §8.7.1 writes out every characteristic, and so do we. */
function single(name: string, description: string, rest: Rest = {}): Attribute {
  const type = rest.type ?? 'string'
  return {
    name,
    type,
    multiValued: false,
    description,
    required: false,
    ...(rest.canonicalValues ? { canonicalValues: rest.canonicalValues } : {}),
    // Boolean and complex values do not have letter case, so the schemas in §8.7.1 omit caseExact.
    ...(type === 'boolean' || type === 'complex' ? {} : { caseExact: false }),
    mutability: 'readWrite',
    returned: 'default',
    ...(type === 'boolean' ? {} : { uniqueness: 'none' as const }),
    ...rest,
  }
}

/** Defines a multi-valued complex attribute (RFC 7643 §2.4). */
function several(
  name: string,
  description: string,
  subAttributes: readonly Attribute[],
  rest: Rest = {},
): Attribute {
  return single(name, description, { type: 'complex', ...rest, multiValued: true, subAttributes })
}

const primary = single('primary', 'Whether this is the preferred value; true for one at most.', {
  type: 'boolean',
})
const display = single('display', 'A name of the value to show to people.')

function kind(description: string, ...canonicalValues: readonly string[]): Attribute {
  return single('type', description, canonicalValues.length === 0 ? {} : { canonicalValues })
}

/** The User definition (RFC 7643 §8.7.1). */
export const USER_DEFINITION: SchemaDefinition = {
  id: USER_SCHEMA,
  name: 'User',
  description: 'User Account',
  attributes: [
    single('userName', 'The name by which a user signs in; unique at the service provider.', {
      required: true,
      uniqueness: 'server',
    }),
    single('name', 'The parts of the name of the user.', {
      type: 'complex',
      subAttributes: [
        single('formatted', 'The whole name, as it is shown.'),
        single('familyName', 'The family name, or last name.'),
        single('givenName', 'The given name, or first name.'),
        single('middleName', 'The middle names.'),
        single('honorificPrefix', 'Titles before the name, such as "Dr.".'),
        single('honorificSuffix', 'The suffix of the name, such as "III".'),
      ],
    }),
    single('displayName', 'The name of the user to show to people.'),
    single('nickName', 'The casual name of the user.'),
    single('profileUrl', 'The address of a page about the user.', {
      type: 'reference',
      referenceTypes: ['external'],
    }),
    single('title', 'The title of the user, such as "Vice President".'),
    single('userType', 'The relationship of the user to the organization, such as "Contractor".'),
    single('preferredLanguage', 'The language that the user prefers, as in Accept-Language.'),
    single('locale', 'The location of the user, for formats of dates, numbers and currency.'),
    single('timezone', 'The time zone of the user, by its IANA name.'),
    single('active', 'Whether the account can be used.', { type: 'boolean' }),
    single('password', 'The password of the user, in clear text. It can only be set.', {
      mutability: 'writeOnly',
      returned: 'never',
    }),
    several('emails', 'Email addresses of the user.', [
      single('value', 'An email address.'),
      display,
      kind('The purpose of the address.', 'work', 'home', 'other'),
      primary,
    ]),
    several('phoneNumbers', 'Phone numbers of the user.', [
      single('value', 'A phone number.'),
      display,
      kind('The purpose of the number.', 'work', 'home', 'mobile', 'fax', 'pager', 'other'),
      primary,
    ]),
    several('ims', 'Instant messaging addresses of the user.', [
      single('value', 'An instant messaging address.'),
      display,
      kind('The service.', 'aim', 'gtalk', 'icq', 'xmpp', 'msn', 'skype', 'qq', 'yahoo'),
      primary,
    ]),
    several('photos', 'Pictures of the user.', [
      single('value', 'The address of a picture.', {
        type: 'reference',
        referenceTypes: ['external'],
      }),
      display,
      kind('The size of the picture.', 'photo', 'thumbnail'),
      primary,
    ]),
    several('addresses', 'Postal addresses of the user.', [
      single('formatted', 'The whole address, as it is shown.'),
      single('streetAddress', 'The street, the house number and further lines.'),
      single('locality', 'The city or town.'),
      single('region', 'The state or region.'),
      single('postalCode', 'The postal code.'),
      single('country', 'The country.'),
      kind('The purpose of the address.', 'work', 'home', 'other'),
      primary,
    ]),
    several(
      'groups',
      'The groups that the user belongs to, directly or through other groups.',
      [
        single('value', 'The id of the group.', { mutability: 'readOnly' }),
        single('$ref', 'The address of the group.', {
          type: 'reference',
          referenceTypes: ['User', 'Group'],
          mutability: 'readOnly',
        }),
        single('display', 'The name of the group.', { mutability: 'readOnly' }),
        single('type', 'Whether the membership is direct.', {
          canonicalValues: ['direct', 'indirect'],
          mutability: 'readOnly',
        }),
      ],
      { mutability: 'readOnly' },
    ),
    several('entitlements', 'The entitlements of the user.', [
      single('value', 'An entitlement.'),
      display,
      kind('The kind of entitlement.'),
      primary,
    ]),
    several('roles', 'The roles of the user.', [
      single('value', 'A role.'),
      display,
      kind('The kind of role.'),
      primary,
    ]),
    several('x509Certificates', 'Certificates of the user.', [
      single('value', 'A certificate.', { type: 'binary' }),
      display,
      kind('The purpose of the certificate.'),
      primary,
    ]),
  ],
}

/** The Group definition (RFC 7643 §8.7.1, with erratum 5368: `displayName` is required). */
export const GROUP_DEFINITION: SchemaDefinition = {
  id: GROUP_SCHEMA,
  name: 'Group',
  description: 'Group',
  attributes: [
    single('displayName', 'The name of the group to show to people.', { required: true }),
    several('members', 'The members of the group.', [
      single('value', 'The id of the member.', { mutability: 'immutable' }),
      single('$ref', 'The address of the member.', {
        type: 'reference',
        referenceTypes: ['User', 'Group'],
        mutability: 'immutable',
      }),
      single('type', 'The resource type of the member.', {
        canonicalValues: ['User', 'Group'],
        mutability: 'immutable',
      }),
      single('display', 'A name of the member to show to people.', { mutability: 'immutable' }),
    ]),
  ],
}

/** The Enterprise User extension's definition (RFC 7643 §8.7.1). */
export const ENTERPRISE_USER_DEFINITION: SchemaDefinition = {
  id: ENTERPRISE_USER_SCHEMA,
  name: 'EnterpriseUser',
  description: 'Enterprise User',
  attributes: [
    single('employeeNumber', 'The number of the person in the organization.'),
    single('costCenter', 'The cost center.'),
    single('organization', 'The organization.'),
    single('division', 'The division.'),
    single('department', 'The department.'),
    single('manager', 'The person that the user reports to.', {
      type: 'complex',
      subAttributes: [
        single('value', 'The id of the manager.', { caseExact: true }),
        single('$ref', 'The address of the manager.', {
          type: 'reference',
          referenceTypes: ['User'],
        }),
        single('displayName', 'The name of the manager.', { mutability: 'readOnly' }),
      ],
    }),
  ],
}
