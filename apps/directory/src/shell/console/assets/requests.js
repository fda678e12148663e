// Adds each request's row to the list as soon as it is stored. The server writes the rows.

const MAX_ROWS = 200

const control = document.getElementById('live')
const rows = document.querySelector('#requests tbody')
if (control !== null && rows !== null) watch(control, rows)

/**
 * @param {HTMLElement} control
 * @param {Element} rows
 */
function watch(control, rows) {
  const state = document.getElementById('live-state')
  const dot = document.getElementById('live-dot')
  const button = document.getElementById('live-switch')
  if (state === null || dot === null || button === null) return
  /** @type {EventSource | null} */
  let source = null
  let last = control.dataset.after ?? '0'
  let count = 0
  /** @param {string} text */
  const show = (text) => {
    dot.className = source?.readyState === EventSource.OPEN ? 'status status-success' : 'status'
    const added = count === 1 ? '1 new request' : `${count} new requests`
    state.textContent = count === 0 ? text : `${text} · ${added}`
  }
  const open = () => {
    source = new EventSource(`${control.dataset.source}?after=${last}`)
    source.addEventListener('request', ({ data, lastEventId }) => {
      last = lastEventId
      count += 1
      rows.prepend(...rowsOf(data))
      while (rows.childElementCount > MAX_ROWS) rows.lastElementChild?.remove()
      document.querySelector('.empty')?.remove()
      show('Live')
    })
    source.addEventListener('open', () => show('Live'))
    source.addEventListener('error', () => {
      // The browser connects again, unless the server has rejected the request.
      show(source?.readyState === EventSource.CLOSED ? 'Not connected' : 'Connecting')
    })
    show('Connecting')
  }
  button.addEventListener('click', () => {
    const isPaused = source === null
    if (isPaused) open()
    else {
      source?.close()
      source = null
      show('Paused')
    }
    button.textContent = isPaused ? 'Pause' : 'Continue'
  })
  button.hidden = false
  open()
}

/**
 * Finds the rows in an event's HTML. The parser does not run scripts.
 * @param {string} html
 */
function rowsOf(html) {
  const parsed = new DOMParser().parseFromString(`<table>${html}</table>`, 'text/html')
  return parsed.querySelectorAll('tr')
}
