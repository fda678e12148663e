import { describe } from 'vitest'
import { doctorContract } from '../../contract/doctor.ts'
import { useSqliteStore } from '../../support/sqlite-store.ts'

describe('on SQLite', () => {
  const { storeOf } = useSqliteStore()
  doctorContract(storeOf)
})
