import { ENTERPRISE_USER_SCHEMA } from '@plumbline/scim'
import type { PersonName } from './people.ts'

/** An order, and the people from `peopleOf` in this order. */
export interface SortRow {
  /** The section of the standard the row comes from. */
  readonly section: string
  readonly sortBy: string
  /** Omitted if a request does not send it. */
  readonly sortOrder?: 'ascending' | 'descending'
  /** The people the row orders. The others may be anywhere. */
  readonly order: readonly PersonName[]
}

/** A row name in `SORT_ROWS`. */
export type SortRowName =
  | 'ascending'
  | 'descending'
  | 'defaultOrder'
  | 'letterCase'
  | 'missingLast'
  | 'missingFirst'
  | 'subAttribute'
  | 'extension'
  | 'attributeInOtherCase'
  | 'text'
  | 'textByDefault'
  | 'textInOtherCase'

/**
 * Orders of the people from `peopleOf`. `storeContract` and the checks of `@plumbline/doctor` take their orders from
 * this table. The rows hold for the attributes as RFC 7643 defines them.
 *
 * @example
 * ```ts
 * import { SORT_ROWS } from '@plumbline/doctor/testing'
 *
 * SORT_ROWS.missingLast.order //=> ['eve', 'bob']
 * ```
 * @see RFC 7644 §3.4.2.3
 */
export const SORT_ROWS: Readonly<Record<SortRowName, SortRow>> = {
  ascending: {
    section: 'RFC 7644 §3.4.2.3',
    sortBy: 'userType',
    sortOrder: 'ascending',
    order: ['bob', 'ada'],
  },
  descending: {
    section: 'RFC 7644 §3.4.2.3',
    sortBy: 'userName',
    sortOrder: 'descending',
    order: ['bob', 'ada'],
  },
  defaultOrder: { section: 'RFC 7644 §3.4.2.3', sortBy: 'userType', order: ['bob', 'ada'] },
  letterCase: {
    section: 'RFC 7644 §3.4.2.3',
    sortBy: 'userName',
    sortOrder: 'ascending',
    order: ['ada', 'bob', 'eve'],
  },
  missingLast: {
    section: 'RFC 7644 §3.4.2.3',
    sortBy: 'title',
    sortOrder: 'ascending',
    order: ['eve', 'bob'],
  },
  missingFirst: {
    section: 'RFC 7644 §3.4.2.3',
    sortBy: 'title',
    sortOrder: 'descending',
    order: ['bob', 'ada'],
  },
  subAttribute: {
    section: 'RFC 7644 §3.4.2.3',
    sortBy: 'name.familyName',
    sortOrder: 'descending',
    order: ['eve', 'ada'],
  },
  extension: {
    section: 'RFC 7644 §3.10',
    sortBy: `${ENTERPRISE_USER_SCHEMA}:employeeNumber`,
    sortOrder: 'descending',
    order: ['bob', 'ada'],
  },
  attributeInOtherCase: {
    section: 'RFC 7644 §3.10',
    sortBy: 'USERTYPE',
    sortOrder: 'ascending',
    order: ['bob', 'ada'],
  },
  // A server without userType has these rows.
  text: {
    section: 'RFC 7644 §3.4.2.3',
    sortBy: 'displayName',
    sortOrder: 'ascending',
    order: ['ada', 'bob', 'eve'],
  },
  textByDefault: {
    section: 'RFC 7644 §3.4.2.3',
    sortBy: 'displayName',
    order: ['ada', 'bob', 'eve'],
  },
  textInOtherCase: {
    section: 'RFC 7644 §3.10',
    sortBy: 'USERNAME',
    sortOrder: 'descending',
    order: ['bob', 'ada'],
  },
}
