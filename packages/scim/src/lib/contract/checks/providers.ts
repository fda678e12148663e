import { GROUP_SCHEMA, USER_SCHEMA } from '../../constants.ts'
import { Inapplicable, type StoreCheck } from '../check.ts'
import { ENTRA } from '../runs/entra.ts'
import { OKTA } from '../runs/okta.ts'
import { replay } from '../runs/replay.ts'
import type { Run } from '../runs/run.ts'
import type { Served, World } from '../world.ts'

/** The requests that identity providers send. */
export const PROVIDER_CHECKS: readonly StoreCheck[] = [ENTRA, OKTA].map(provisions)

function provisions(run: Run): StoreCheck {
  return {
    name: `provider: answers the requests of ${run.name} as it expects`,
    section: 'RFC 7644 §3',
    advice: 'the other checks show the reason if they fail, too.',
    async run(world) {
      const users = servedBy(world, USER_SCHEMA)
      if (users === null) throw new Inapplicable('no resource type has the core schema of users')
      const stage = { users, groups: servedBy(world, GROUP_SCHEMA), adapt: world.adapt }
      await replay(run, { ...stage, send: world.sendFrom(run.profile) })
    },
  }
}

/** The resource type whose core schema has the URN. */
function servedBy({ types }: World, urn: string): Served | null {
  return types.find(({ definitions }) => Object.keys(definitions)[0] === urn) ?? null
}
