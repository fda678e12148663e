import { GROUP_TYPE } from '../../kernel/resources/group-type.ts'
import { createGroupStore, type GroupResources } from './groups/group-store.ts'
import { extendDefinitions, type StoredType } from './stored-type.ts'

const GROUPS: GroupResources = {
  ...GROUP_TYPE,
  columns: {
    externalId: 'external_id',
    displayName: { column: 'display_name_key', folded: true },
  },
  sorted: { displayname: 'display_name_key' },
}

/** The group store. `npm run seed` uses it, too. */
export const GROUP_STORE = createGroupStore(GROUPS)

/** Groups and their store. */
export const GROUP: StoredType = {
  ...GROUP_TYPE,
  store: GROUP_STORE,
  extend: (extensions) => {
    const definitions = extendDefinitions(GROUPS.definitions, extensions)
    return { definitions, store: createGroupStore({ ...GROUPS, definitions, extensions }) }
  },
}
