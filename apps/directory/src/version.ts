/** The version of the directory. */
export const VERSION = '2026.11.21'
