// Keeps a page's relative times correct. The server writes the same texts.

const UNITS = /** @type {const} */ ([
  [60, 'min', 60],
  [3_600, 'h', 24],
  [86_400, 'days', 60],
])

/**
 * Formats a relative time, such as `5 min ago` or `in 3 days`; returns the date if it is far away.
 * @param {number} at
 * @param {number} now
 * @returns {string}
 */
export function relativeTime(at, now) {
  const seconds = Math.abs(now - at) / 1_000
  // Clocks differ a little.
  if (seconds < 60) return at > now + 5_000 ? 'in a minute' : 'just now'
  for (const [size, name, most] of UNITS) {
    const count = at > now ? Math.round(seconds / size) : Math.floor(seconds / size)
    if (count >= most) continue
    const unit = count === 1 && name === 'days' ? 'day' : name
    return at > now ? `in ${count} ${unit}` : `${count} ${unit} ago`
  }
  return new Date(at).toISOString().slice(0, 10)
}

if (typeof document !== 'undefined') {
  setInterval(() => {
    for (const time of document.querySelectorAll('time')) {
      time.textContent = relativeTime(Date.parse(time.dateTime), Date.now())
    }
  }, 15_000)
}
