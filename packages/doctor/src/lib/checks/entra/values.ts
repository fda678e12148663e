import { ENTERPRISE_USER_SCHEMA } from '@plumbline/scim'
import type { Check } from '../../check.ts'
import { findAttributeReason } from '../../model/attribute-needs.ts'
import { expectIgnored, patching } from '../../patching.ts'
import { PATCH_ROWS } from '../../rows/patch-rows.ts'
import { expectAbsent, expectMember } from '../../toolkit/expect.ts'
import { modifyUser } from '../../toolkit/patch.ts'
import type { Server } from '../../toolkit/server.ts'

const ENTRA = { section: 'Entra ID', level: 'practice', profiles: ['entra'] } as const
const MANAGER = `${ENTERPRISE_USER_SCHEMA}:manager`
const MANAGER_ID = [ENTERPRISE_USER_SCHEMA, 'manager', 'value']

/** A server without managers must ignore the ones in the default mapping. */
function hasManager({ types }: Server): boolean {
  return findAttributeReason(types, `User.${MANAGER}`) === null
}

/** The values in Entra ID's PATCH operations. */
export const ENTRA_VALUE_CHECKS: readonly Check[] = [
  patching({
    ...ENTRA,
    id: 'entra.active-text',
    row: PATCH_ROWS.active,
    op: 'Replace',
    value: () => 'False',
    title: 'Replace of active by the string "False" sets it to false',
    needs: ['check:entra.op-case'],
    advice: 'Read "True" and "False" as booleans where an attribute is a boolean.',
    affects: { entra: 'Users are not disabled without the flag aadOptscim062020.' },
  }),
  patching({
    ...ENTRA,
    id: 'entra.list-for-one-value',
    row: PATCH_ROWS.existing,
    op: 'Replace',
    value: (value) => [{ value }],
    title: 'A list with one object is accepted as the value of a single-valued attribute',
    needs: ['check:entra.op-case'],
    advice: 'Take the value of the only element if the attribute is single-valued.',
    affects: { entra: 'Updates of single values fail without the flag aadOptscim062020.' },
  }),
  {
    ...ENTRA,
    id: 'entra.manager-text',
    title: 'Replace of manager by a string sets the id of the manager',
    needs: ['check:entra.op-case'],
    advice: 'Read a string as the sub-attribute value of a complex attribute.',
    affects: { entra: 'Managers are not provisioned.' },
    run: async (server) => {
      const { ada } = await server.people()
      const operation = { op: 'Replace', path: MANAGER, value: ada.id }
      if (!hasManager(server)) return expectIgnored(server, operation)
      expectMember(await modifyUser(server, {}, operation), MANAGER_ID, ada.id)
    },
  },
  {
    ...ENTRA,
    id: 'entra.manager-list',
    title: 'Add of manager with a list of one object sets the manager',
    needs: ['check:entra.op-case'],
    advice: 'Take the only element of the list if the attribute is single-valued.',
    affects: { entra: 'Managers are not provisioned.' },
    run: async (server) => {
      const { ada } = await server.people()
      const operation = { op: 'Add', path: MANAGER, value: [{ $ref: ada.path, value: ada.id }] }
      if (!hasManager(server)) return expectIgnored(server, operation)
      expectMember(await modifyUser(server, {}, operation), MANAGER_ID, ada.id)
    },
  },
  {
    ...ENTRA,
    id: 'entra.manager-empty',
    title: 'Replace of manager by an empty string removes the manager',
    needs: ['check:entra.manager-text'],
    advice: 'Read an empty string as no value for manager.',
    affects: { entra: 'Users keep a manager who was removed.' },
    run: async (server) => {
      const { ada } = await server.people()
      const remove = { op: 'Replace', path: MANAGER, value: '' }
      if (!hasManager(server)) return expectIgnored(server, remove)
      const set = { op: 'Replace', path: MANAGER, value: ada.id }
      const user = await modifyUser(server, {}, set, remove)
      expectAbsent(user, MANAGER_ID)
    },
  },
]
