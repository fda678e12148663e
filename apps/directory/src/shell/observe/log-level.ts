/** The levels of log entries, from low to high. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const

/** A log entry's level. */
export type LogLevel = (typeof LOG_LEVELS)[number]
