/** The module fast-check, which the first generated test loads. */
export type FastCheck = typeof import('fast-check').default
