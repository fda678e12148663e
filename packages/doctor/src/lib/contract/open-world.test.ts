import { defineResourceType, memoryStore } from '@plumbline/scim/endpoint'
import { expect, it } from 'vitest'
import type { Definitions } from '../model/types.ts'
import { openWorld } from './open-world.ts'

const definitions: Definitions = {
  'urn:example:Device': {
    id: 'urn:example:Device',
    name: 'Device',
    attributes: [
      { name: 'label', type: 'string' },
      {
        name: 'owner',
        type: 'complex',
        subAttributes: [
          { name: 'value', type: 'string' },
          { name: '$ref', type: 'reference', referenceTypes: ['User'] },
        ],
      },
    ],
  },
}

it('a resource refers to a made-up id of each type that is not served', async () => {
  const store = memoryStore({ definitions })
  const device = defineResourceType({ name: 'Device', endpoint: '/Devices', definitions, store })
  const world = openWorld({ resourceTypes: [device] })
  const [devices] = world.types
  const owners = [await devices?.sample('whole', 1), await devices?.sample('whole', 2)]
  expect(owners).toMatchObject([
    { owner: { value: 'unserved-1001' } },
    { owner: { value: 'unserved-1002' } },
  ])
})
