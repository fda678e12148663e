/** The package's version. */
export const VERSION = '2026.11.21'
