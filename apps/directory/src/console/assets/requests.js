// Adds the row of each request to the list as soon as it is stored. The server writes the rows.

const MOST_ROWS = 200

const control = document.getElementById('live')
const rows = document.querySelector('#requests tbody')
if (control !== null && rows !== null) watch(control, rows)

/**
 * @param {HTMLElement} control
 * @param {Element} rows
 */
function watch(control, rows) {
  const state = document.getElementById('live-state')
  const button = document.getElementById('live-switch')
  if (state === null || button === null) return
  /** @type {EventSource | null} */
  let source = null
  let last = control.dataset.after ?? '0'
  let count = 0
  const open = () => {
    source = new EventSource(`${control.dataset.source}?after=${last}`)
    source.addEventListener('request', ({ data, lastEventId }) => {
      last = lastEventId
      count += 1
      rows.prepend(...rowsOf(data))
      while (rows.childElementCount > MOST_ROWS) rows.lastElementChild?.remove()
      document.querySelector('.empty')?.remove()
      state.textContent = count === 1 ? '1 new request.' : `${count} new requests.`
    })
    source.addEventListener('error', () => {
      if (source?.readyState === EventSource.CLOSED) state.textContent = 'Not connected.'
    })
  }
  button.addEventListener('click', () => {
    const isPaused = source === null
    if (isPaused) open()
    else {
      source?.close()
      source = null
    }
    button.textContent = isPaused ? 'Pause' : 'Continue'
    button.setAttribute('aria-pressed', String(isPaused))
  })
  control.hidden = false
  open()
}

/**
 * The rows in the HTML of an event. The parser does not run scripts.
 * @param {string} html
 */
function rowsOf(html) {
  const parsed = new DOMParser().parseFromString(`<table>${html}</table>`, 'text/html')
  return parsed.querySelectorAll('tr')
}
