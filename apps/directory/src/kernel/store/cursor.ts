import { randomInt } from 'node:crypto'

/** A place in a tenant's feed, as consumers store it. */
export interface Cursor {
  /** Null in a cursor of a version without epochs. */
  readonly epoch: string | null
  readonly position: number
}

/** The part of a feed that names the changes. */
export interface FeedName {
  /**
   * Random, and replaced when a backup is restored: the counter then repeats positions, and consumers must not take the
   * new changes for the ones they know.
   */
  readonly epoch: string
  /** The epoch of the cursors without one; null if this feed never had such cursors. */
  readonly firstEpoch: string | null
}

/** Creates an epoch: short enough for every message, and random enough that a tenant never gets the same one again. */
export function createEpoch(): string {
  return Array.from({ length: EPOCH_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}

/** Writes the cursor of a change, such as `k3f9x2ab.42`. */
export function writeCursor({ epoch }: Pick<FeedName, 'epoch'>, position: number): string {
  return `${epoch}.${position}`
}

/** Reads a cursor that matches `CURSOR`. */
export function parseCursor(text: string): Cursor {
  const [first = '', second] = text.split('.')
  if (second === undefined) return { epoch: null, position: Number(first) }
  return { epoch: first, position: Number(second) }
}

/** Returns a cursor's position in a feed; null if it belongs to an earlier epoch. */
export function positionIn({ epoch, firstEpoch }: FeedName, cursor: Cursor): number | null {
  return (cursor.epoch ?? firstEpoch) === epoch ? cursor.position : null
}

const EPOCH_LENGTH = 8
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** The cursors that clients may send. */
export const CURSOR: RegExp = /^(?:[a-z0-9]{8}\.)?\d{1,15}$/
