import { LIST_PATCH_ROWS, type ListPatchRowName } from './list-patch-rows.ts'
import type { PatchRow } from './patch-row.ts'
import { REMOVE_ROWS, type RemoveRowName } from './remove-rows.ts'
import { SINGLE_PATCH_ROWS, type SinglePatchRowName } from './single-patch-rows.ts'

/** A row name in `PATCH_ROWS`. */
export type PatchRowName = SinglePatchRowName | ListPatchRowName | RemoveRowName

/**
 * PATCH changes to a user, and the user afterwards. `storeContract` and the checks of `@plumbline/doctor` take their
 * operations from this table: those for add and replace, and the forms in which identity providers send them.
 *
 * @example
 * ```ts
 * import { PATCH_ROWS } from '@plumbline/doctor/testing'
 *
 * const { path, value, after } = PATCH_ROWS.subAttribute
 * path?.('run-1') //=> 'name.givenName'
 * after('run-1') //=> { name: { givenName: 'Grace', familyName: 'Sample' } }
 * ```
 * @see RFC 7644 §3.5.2
 */
export const PATCH_ROWS: Readonly<Record<PatchRowName, PatchRow>> = {
  ...SINGLE_PATCH_ROWS,
  ...LIST_PATCH_ROWS,
  ...REMOVE_ROWS,
}
