/** The path to the pages opened by a set-up link. */
export const SETUP_PATH = '/console/set-up'

/** Returns a set-up link's path. */
export function setupLinkPath(text: string): string {
  return `${SETUP_PATH}/open/${text}`
}
