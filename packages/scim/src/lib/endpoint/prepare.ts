import { defined } from '../json.ts'
import { createDocuments, type Documents } from './documents.ts'
import { DEFAULT_LIMITS, type Limits } from './limits.ts'
import { BEARER_SCHEME, type ScimEndpointOptions } from './options.ts'
import { PROFILES, type Profile, type ProfileName } from './profiles.ts'
import type { Me } from './routes.ts'
import { prepareType, type ServedType } from './served-type.ts'

/** The parts of an endpoint that do not depend on a request. */
export interface Prepared<Context> {
  readonly basePathOf: (request: Request) => string
  readonly limits: Limits
  readonly types: readonly ServedType<Context>[]
  readonly documents: Documents
  readonly me: Me<Context> | null
  readonly profileOf: (context: Context) => Profile
  readonly baseOf: (request: Request, origin: string) => string
}

/** Prepares the options of an endpoint once. Throws a TypeError for options that contradict each other. */
export function prepareOptions<Context>(options: ScimEndpointOptions<Context>): Prepared<Context> {
  const { documentationUri, authenticationSchemes = [BEARER_SCHEME], changePassword } = options
  const basePathOf = prepareBasePath(options.basePath)
  const limits = { ...DEFAULT_LIMITS, ...defined(options.limits ?? {}) }
  const types = options.resourceTypes.map((type) => prepareType(type))
  requireDistinct(types)
  const description = { documentationUri, authenticationSchemes, changePassword }
  return {
    basePathOf,
    limits,
    types,
    documents: createDocuments(types, limits, description),
    me: prepareMe(options, types),
    profileOf: prepareProfile(options.profile),
    baseOf: prepareBase(options.base, basePathOf),
  }
}

function prepareBasePath<Context>(
  basePath: ScimEndpointOptions<Context>['basePath'] = '',
): Prepared<Context>['basePathOf'] {
  if (typeof basePath === 'function') return (request) => withoutSlash(basePath(request))
  const fixed = withoutSlash(basePath)
  if (fixed !== '' && !fixed.startsWith('/')) {
    throw new TypeError(`basePath must start with a slash, unlike ${fixed}`)
  }
  return () => fixed
}

function requireDistinct(types: readonly ServedType<never>[]): void {
  const taken = new Set(RESERVED)
  for (const { name, endpoint } of types) {
    if (taken.has(endpoint) || taken.has(name)) {
      throw new TypeError(`the resource type ${name} at ${endpoint} already exists`)
    }
    taken.add(endpoint).add(name)
  }
}

function prepareMe<Context>(
  { me }: ScimEndpointOptions<Context>,
  types: readonly ServedType<Context>[],
): Me<Context> | null {
  if (me === undefined) return null
  const { resourceType = 'User', id } = me
  const type = types.find(({ name }) => name === resourceType)
  if (type === undefined) throw new TypeError(`me: the resource type ${resourceType} is unknown`)
  return { type, idOf: id }
}

function prepareProfile<Context>(
  profile: ScimEndpointOptions<Context>['profile'] = 'standard',
): (context: Context) => Profile {
  if (typeof profile === 'function') return (context) => profileOf(profile(context))
  const found = profileOf(profile)
  return () => found
}

function profileOf(profile: ProfileName | Profile): Profile {
  if (typeof profile !== 'string') return profile
  if (Object.hasOwn(PROFILES, profile)) return PROFILES[profile]
  throw new TypeError(`the profile ${profile} is unknown`)
}

function prepareBase<Context>(
  base: ScimEndpointOptions<Context>['base'],
  basePathOf: Prepared<Context>['basePathOf'],
): Prepared<Context>['baseOf'] {
  if (typeof base === 'function') return (request) => withoutSlash(base(request))
  if (base === undefined) return (request, origin) => `${origin}${basePathOf(request)}`
  const fixed = withoutSlash(base)
  return () => fixed
}

function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path
}

/** The paths that RFC 7644 §3.2 reserves. */
const RESERVED = ['/Me', '/Bulk', '/ServiceProviderConfig', '/ResourceTypes', '/Schemas']
