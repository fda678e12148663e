/** The version of the package. */
export const VERSION = '2026.11.21'
