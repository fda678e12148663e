export { applyPatch } from './lib/patch/apply.ts'
export { parsePatch } from './lib/patch/parse.ts'
export type * as Patch from './lib/patch/types.ts'
