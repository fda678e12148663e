import { describe, onTestFinished } from 'vitest'
import {
  migratedBy,
  migratePostgres,
} from '../../../../../src/kernel/store/engines/postgres/migrate.ts'
import { withConnection } from '../../../../../src/kernel/store/engines/postgres/pools.ts'
import { openPostgres } from '../../../../../src/kernel/store/engines/postgres/postgres.ts'
import { fenceContract } from '../../../../contract/fence.ts'
import { createFreshDatabase } from '../../../../support/fresh-postgres.ts'

// Distributed engines use the stricter isolation, in which a transaction has one snapshot.
describe.each(['read committed', 'repeatable read', 'serializable'] as const)(
  'the fence on PostgreSQL, %s',
  (isolation) => {
    fenceContract(async () => {
      const { url, client, drop } = await createFreshDatabase()
      onTestFinished(drop)
      const name = new URL(url).pathname.slice(1)
      await client.query(
        `alter database ${name} set default_transaction_isolation to '${isolation}'`,
      )
      await migratePostgres(url)
      return {
        open: () => openPostgres(url),
        migrating: (work) => withConnection(url, (single) => work(migratedBy(single))),
      }
    })
  },
)
