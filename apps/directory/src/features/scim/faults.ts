import { ScimError, uniquenessError } from '@plumbline/scim'
import { TenantNotFoundError } from '../../kernel/access/authenticate.ts'
import { RateLimitError } from '../../kernel/rate-limit/client-limits.ts'
import { RESOURCE_TYPES } from '../../kernel/resources/resource-types.ts'
import type { Fault } from '../../kernel/store/driver-errors.ts'
import { faultOf, takenAttribute } from '../../kernel/store/faults.ts'
import {
  NewerSchemaError,
  ScanTimeoutError,
  StoreUnavailableError,
} from '../../kernel/store/store.ts'

/** Converts a database error or a missing tenant to a response; null for an internal error. */
export function toScimError(error: unknown): ScimError | null {
  if (error instanceof TenantNotFoundError) return new ScimError(404, error.message)
  // RFC 6585 §4; RFC 7644 Table 9 does not have a scimType for it.
  if (error instanceof RateLimitError) return new ScimError(429, error.message)
  if (error instanceof ScanTimeoutError || error instanceof NewerSchemaError) {
    return new ScimError(503, error.message)
  }
  const fault = error instanceof StoreUnavailableError ? 'unavailable' : faultOf(error)
  if (fault !== 'unique') return FAULTS[fault]
  const attribute = takenAttribute(error, UNIQUE_KEYS)
  // Clients cannot choose the tables' other keys: a conflict there is an internal error.
  return attribute === null ? null : uniquenessError(attribute)
}

/** Attributes with unique keys, by key name and by the key's columns. */
const UNIQUE_KEYS: ReadonlyMap<string, string> = new Map(
  RESOURCE_TYPES.flatMap(({ uniqueKeys }) => Object.entries(uniqueKeys)),
)

/** The responses to a database's errors. */
const FAULTS: Readonly<Record<Exclude<Fault, 'unique'>, ScimError | null>> = {
  text: new ScimError(400, 'a value contains U+0000, which is not supported', {
    scimType: 'invalidValue',
  }),
  busy: new ScimError(503, 'the database is busy'),
  full: new ScimError(503, 'the disk of the database is full'),
  unavailable: new ScimError(503, 'the directory cannot reach its database'),
  other: null,
}
