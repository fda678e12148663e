/** Each server's token. */
export const TOKEN = 'token-of-the-benchmark'
