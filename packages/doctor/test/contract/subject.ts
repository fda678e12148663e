import type { StoresUnderTest } from '@plumbline/doctor/testing'
import type { Discovery } from '@plumbline/scim/discovery'
import { defineResourceType } from '@plumbline/scim/endpoint'
import { GROUPS, SENSORS, USERS } from './definitions.ts'
import type { Fault } from './faults.ts'
import { MACHINES } from './machine.ts'
import {
  createStore,
  createTransaction,
  type Database,
  type Tenant,
  type Transaction,
} from './memory.ts'

/** The resource types of a directory in memory, with a fault in their stores. */
export function makeStores(
  names: readonly TypeName[],
  fault: Fault,
  transactionOf: (database: Database) => Transaction | undefined = createTransaction,
): StoresUnderTest<Tenant> {
  const database: Database = { rows: [], nextId: 1 }
  const types = TYPES.filter(([name]) => names.includes(name))
  const resourceTypes = types.map(([name, endpoint, definitions]) => {
    const store = createStore(database, name, definitions)
    const faulty = { ...store, ...fault({ store, database, name, definitions }) }
    return defineResourceType({ name, endpoint, definitions, store: faulty })
  })
  return {
    resourceTypes,
    transaction: transactionOf(database),
    context: { tenant: 'a' },
    otherContext: { tenant: 'b' },
  }
}

export type TypeName = 'User' | 'Group' | 'Sensor' | 'Machine'

const TYPES: readonly (readonly [TypeName, string, Discovery.Definitions])[] = [
  ['User', '/Users', USERS],
  ['Group', '/Groups', GROUPS],
  ['Sensor', '/Sensors', SENSORS],
  ['Machine', '/Machines', MACHINES],
]
