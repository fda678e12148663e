import type { ContractReport, CoverageKind } from '../report.ts'

/** The contract parts requests aim at. */
export interface Aim {
  /** Whether an operation has a part to aim at. */
  isWanted(operationId: string): boolean
  /** Whether one part is among them. */
  wants(operationId: string, kind: CoverageKind, name: string): boolean
}

/** Aims at the parts a report does not cover; without one, at every operation but no particular part. */
export function createAim(report: ContractReport | undefined): Aim {
  if (report === undefined) return { isWanted: () => true, wants: () => false }
  const wanted = new Map(
    report.operations.map(({ operationId, items }) => [
      operationId,
      new Set(items.filter(({ count }) => count === 0).map(({ kind, name }) => `${kind} ${name}`)),
    ]),
  )
  return {
    // An operation the report does not know is new.
    isWanted: (operationId) => wanted.get(operationId)?.size !== 0,
    wants: (operationId, kind, name) => wanted.get(operationId)?.has(`${kind} ${name}`) ?? false,
  }
}
