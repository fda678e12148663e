import { isJsonObject, own } from '../json.ts'
import { type Addresses, prepareAddresses } from './addresses.ts'
import { createDocuments, type Documents } from './documents.ts'
import { type Me, prepareMe } from './me.ts'
import {
  ANY,
  BOOLEAN,
  type Forms,
  FUNCTION,
  OBJECT,
  required,
  requireOptions,
} from './options/forms.ts'
import { isHeaderValue } from './options/headers.ts'
import { completeLimits, type Limits } from './options/limits.ts'
import { type Profile, prepareProfile } from './options/profiles.ts'
import { defineResourceType, prepareType, type ServedType } from './options/resource-type.ts'
import { BEARER_SCHEME, type ScimEndpointOptions } from './options.ts'

/** The endpoint parts that all requests share. */
export interface Prepared<Context> extends Addresses {
  readonly limits: Limits
  readonly types: readonly ServedType<Context>[]
  readonly documents: Documents
  readonly me: Me<Context> | null
  readonly profileOf: (context: Context) => Profile
}

/** Prepares an endpoint's options once. Throws a TypeError naming the first invalid option. */
export function prepareOptions<Context extends object>(
  options: ScimEndpointOptions<Context>,
): Prepared<Context> {
  requireOptions<ScimEndpointOptions<object>>('createScimEndpoint', options, FORMS, '')
  const { documentationUri, authenticationSchemes = [BEARER_SCHEME] } = options
  const { changePassword, securityEvents } = options
  const limits = completeLimits(options.limits)
  const defined = options.resourceTypes.map((type) => defineResourceType(type))
  const types = defined.map((type) => prepareType(type, defined))
  requireDistinct(types)
  if (options.transaction === undefined) for (const type of types) requireOneTable(type)
  const description = { documentationUri, authenticationSchemes, changePassword, securityEvents }
  return {
    ...prepareAddresses(options),
    limits,
    types,
    documents: createDocuments(types, limits, description),
    me: prepareMe(options, types),
    profileOf: prepareProfile(options.profile, types),
  }
}

/** Without a transaction, a write that fails between two tables would leave half of the changes. */
function requireOneTable({ name, store }: ServedType<never>): void {
  const tables: unknown = own(store, 'writesTo')
  if (!Array.isArray(tables) || tables.length < 2) return
  throw new TypeError(
    `${name}: a write changes ${tables.join(', ')}, so createScimEndpoint needs the option transaction: begin, await work({ ...context, client }), and commit or roll back`,
  )
}

function requireDistinct(types: readonly ServedType<never>[]): void {
  const used = new Set(RESERVED)
  for (const { name, endpoint } of types) {
    if (used.has(endpoint) || used.has(name)) {
      throw new TypeError(`the resource type ${name} at ${endpoint} already exists`)
    }
    used.add(endpoint).add(name)
  }
}

const FORMS: Forms<ScimEndpointOptions<object>> = {
  resourceTypes: {
    wanted: 'a list of at least one resource type',
    isValid: (value) => Array.isArray(value) && value.length > 0,
    isRequired: true,
  },
  authenticate: required(FUNCTION),
  basePath: ANY,
  base: ANY,
  transaction: FUNCTION,
  profile: ANY,
  me: OBJECT,
  client: FUNCTION,
  turn: FUNCTION,
  outbox: {
    wanted: 'an outbox',
    isValid: (value) => isJsonObject(value) && typeof value.hold === 'function',
  },
  limits: ANY,
  headers: FUNCTION,
  onError: FUNCTION,
  onAnswer: FUNCTION,
  onChange: FUNCTION,
  requestId: FUNCTION,
  toScimError: FUNCTION,
  challenge: {
    wanted: 'the value of a header, such as Bearer',
    isValid: (value) => isHeaderValue(value) && value.trim() !== '',
  },
  documentationUri: {
    wanted: 'an absolute URL',
    isValid: (value) => typeof value === 'string' && URL.canParse(value),
  },
  authenticationSchemes: {
    wanted: 'a list of at least one scheme, each with a type, a name and a description',
    isValid: (value) => Array.isArray(value) && value.length > 0 && value.every(isScheme),
  },
  changePassword: BOOLEAN,
  securityEvents: OBJECT,
}

/** RFC 7643 §5: the type, the name and the description are required. */
function isScheme(scheme: unknown): boolean {
  if (!isJsonObject(scheme)) return false
  const { type, name, description } = scheme
  return [type, name, description].every((text) => typeof text === 'string' && text !== '')
}

/** The paths RFC 7644 §3.2 reserves. */
const RESERVED = ['/Me', '/Bulk', '/ServiceProviderConfig', '/ResourceTypes', '/Schemas']
