/** How many resources a page has where the client does not say, and at most. */
export const LIST_OPTIONS = { defaultCount: 100, maxCount: 1_000 }
