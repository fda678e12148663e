import { describe } from 'vitest'
import { doctorContract, TOPICS_OF_STANDARD } from '../../contract/doctor.ts'
import { useSqliteStore } from '../../support/sqlite-store.ts'

describe('on SQLite', () => {
  const { storeOf } = useSqliteStore()
  // doctor.servers.test.ts examines all topics with each profile.
  doctorContract(storeOf, { skip: TOPICS_OF_STANDARD })
})
