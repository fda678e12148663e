import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { Store } from '../../src/kernel/store/store.ts'
import { spreadOf } from '../support/tenant-statements.ts'
import { watchStatements } from '../support/watch-statements.ts'
import { accessContract } from './access.ts'
import { activityContract } from './activity.ts'
import { assertionContract } from './assertions.ts'
import { boundContract } from './bounds.ts'
import { bulkContract } from './bulk.ts'
import { changeContract } from './changes.ts'
import { cursorContract } from './cursors.ts'
import { edgeContract } from './edges.ts'
import { extensionChangeContract } from './extension-changes.ts'
import { extensionContract } from './extensions.ts'
import { groupNameContract } from './group-names.ts'
import { groupContract } from './groups.ts'
import { holdContract } from './holds.ts'
import { importContract } from './imports.ts'
import { injectionContract } from './injection.ts'
import { largeContract } from './large.ts'
import { listedMembersContract } from './listed-members.ts'
import { listContract } from './lists.ts'
import { liveContract } from './live.ts'
import { loadContract } from './load.ts'
import { longKeyContract } from './long-keys.ts'
import { multiValuedContract } from './multi-valued.ts'
import { oauthContract } from './oauth.ts'
import { oneStatementContract } from './one-statement.ts'
import { provisioningContract } from './provisioning.ts'
import { pushedEventContract } from './pushed-events.ts'
import { receiverTokenContract } from './receiver-tokens.ts'
import { recordingContract } from './recordings.ts'
import { resourceTypeContract } from './resource-types.ts'
import { rotationContract } from './rotation.ts'
import { runContract } from './runs.ts'
import { scanContract } from './scans.ts'
import { secretTagContract } from './secret-tags.ts'
import { secretContract } from './secrets.ts'
import { securityEventContract } from './security-events.ts'
import { seedContract } from './seed.ts'
import { sessionContract } from './sessions.ts'
import { setupLinkContract } from './setup-links.ts'
import { tenantContract } from './tenants.ts'
import { tokenContract } from './tokens.ts'
import { userContract } from './users.ts'
import { valueContract } from './values.ts'
import { webhookContract } from './webhooks.ts'

/** The contract of the directory on every store. A new store must pass this and `largeStoreContract`. */
export function storeContract(storeUnderTest: () => Store): void {
  const storeOf = ofOneTenant(storeUnderTest)
  describe('resource types', () => resourceTypeContract(storeOf))
  describe('users', () => userContract(storeOf))
  describe('lists', () => listContract(storeOf))
  describe('lists by multi-valued attributes', () => multiValuedContract(storeOf))
  describe('the multi-valued attribute index', () => valueContract(storeOf))
  describe('extensions', () => extensionContract(storeOf))
  describe('extension changes', () => extensionChangeContract(storeOf))
  describe('changes', () => changeContract(storeOf))
  describe('holds', () => holdContract(storeOf))
  describe('webhooks', () => webhookContract(storeOf))
  describe('Security Event Tokens', () => securityEventContract(storeOf))
  describe('pushed Security Event Tokens', () => pushedEventContract(storeOf))
  describe('cursors', () => cursorContract(storeOf))
  describe('cursors with long values', () => longKeyContract(storeOf))
  describe('groups', () => groupContract(storeOf))
  describe('listed members', () => listedMembersContract(storeOf))
  describe('group names', () => groupNameContract(storeOf))
  describe('single-statement reads', () => oneStatementContract(storeOf))
  describe('scans', () => scanContract(storeOf))
  describe('load', () => loadContract(storeOf))
  describe('edges', () => edgeContract(storeOf))
  describe('tenants', () => tenantContract(storeOf))
  describe('tenant activity', () => activityContract(storeOf))
  describe('tokens', () => tokenContract(storeOf))
  describe('console sessions', () => sessionContract(storeOf))
  describe('set-up links', () => setupLinkContract(storeOf))
  describe('rotation', () => rotationContract(storeOf))
  describe('access', () => accessContract(storeOf))
  describe('a receiver token', () => receiverTokenContract(storeOf))
  describe('OAuth', () => oauthContract(storeOf))
  describe("OAuth clients' JWTs", () => assertionContract(storeOf))
  describe('the provisioning log', () => provisioningContract(storeOf))
  describe('the live provisioning log', () => liveContract(storeOf))
  describe('recordings', () => recordingContract(storeOf))
  describe('secrets', () => secretContract(storeOf))
  describe('resource tags with secrets', () => secretTagContract(storeOf))
  describe('runs', () => runContract(storeOf))
  describe('bulk', () => bulkContract(storeOf))
  describe('imports', () => importContract(storeOf))
}

/** The part of the store contract that needs seconds, because it stores many or large rows. */
export function largeStoreContract(storeUnderTest: () => Store): void {
  const storeOf = ofOneTenant(storeUnderTest)
  describe('limits', () => boundContract(storeOf))
  describe('large resources', () => largeContract(storeOf))
  describe('a filled directory', () => seedContract(storeOf))
  describe('injection', () => injectionContract(storeOf))
}

/** The same store. The tests fail if a request runs a statement that a distributed database sends to every node. */
function ofOneTenant(storeOf: () => Store): () => Store {
  const spread = new Set<string>()
  let store: Store
  beforeAll(() => {
    store = watchStatements(storeOf(), (statement) => {
      const found = spreadOf(statement)
      if (found !== null && !isOfAllTenants(statement.text)) spread.add(found)
    })
  })
  afterAll(() => expect([...spread]).toEqual([]))
  return () => store
}

/** Whether a statement may go to every node: the look-ups of webhooks and of the metrics in the background, those of `--restored`, and whole tables, which only tests read. */
export function isOfAllTenants(text: string): boolean {
  return OF_ALL_TENANTS.test(text) || OF_RESTORES.test(text)
}

const OF_RESTORES =
  /^update (?:webhooks set position = f[.]position|groups set revision = revision [+]|change_feeds set epoch = \$1$)/
const OF_ALL_TENANTS =
  /^select (?:(?:w\.[\w., ]+|state, count[\s\S]+) from webhooks w\s[\s\S]+|state, count\(\*\) as count from change_feeds group by state|\* from \w+)$/
