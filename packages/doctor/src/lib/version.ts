/** The package version. A test compares it with package.json, which web-standard code cannot read. */
export const VERSION = '2026.11.21'
