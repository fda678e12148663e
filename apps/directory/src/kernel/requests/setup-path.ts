/** The path to the pages a set-up link opens. */
export const SETUP_PATH = '/console/set-up'

/** Returns a set-up link's path. */
export function setupLinkPath(text: string): string {
  return `${SETUP_PATH}/open/${text}`
}
