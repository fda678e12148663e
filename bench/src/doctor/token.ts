/** The token of each server. */
export const TOKEN = 'token-of-the-benchmark'
