/** The problem document media type (RFC 9457 §3). */
export const MEDIA_TYPE_PROBLEM = 'application/problem+json'
