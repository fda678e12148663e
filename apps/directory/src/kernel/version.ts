/** The directory's version. */
export const VERSION = '2026.11.21'
