export type { Access, Grant, RolesOfGroups } from './lib/access/grants.ts'
export type { Candidate, LinkOptions } from './lib/access/link.ts'
export type {
  AccessChange,
  Projection,
  ProjectionOptions,
  Reconciled,
} from './lib/access/projection.ts'
export { projection } from './lib/access/projection.ts'
