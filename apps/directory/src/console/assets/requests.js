// Adds each request to the list as soon as it is stored. The content of a request is only ever text.

const MOST_ROWS = 200
const SIGNS = { good: '✓', warning: '!', bad: '✕' }

/**
 * @typedef {object} LoggedRequest
 * @property {string} number
 * @property {string} time
 * @property {string} operation
 * @property {number} status
 * @property {number} milliseconds
 * @property {string | null} userName
 * @property {string | null} resourceId
 * @property {string | null} resourceType
 * @property {string | null} scimType
 * @property {string | null} rejection
 * @property {string | null} detail
 */

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
    source = new EventSource(`${control.dataset.source}after=${last}`)
    source.addEventListener('request', (event) => {
      /** @type {LoggedRequest} */
      const request = JSON.parse(event.data)
      last = request.number
      count += 1
      rows.prepend(rowOf(request, control.dataset.href ?? ''))
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
 * @param {LoggedRequest} request
 * @param {string} href
 */
function rowOf(request, href) {
  const { number, time, operation, userName, resourceId, resourceType } = request
  const link = element('a', `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`)
  link.setAttribute('href', href + number)
  const name = element('th')
  name.setAttribute('scope', 'row')
  name.append(link)
  const status = element('td')
  status.append(badgeOf(request.status))
  const code = request.scimType ?? request.rejection
  const reason = element('td')
  if (code !== null) reason.append(element('code', code), ' ')
  reason.append(request.detail ?? '')
  const taken = element('td', `${request.milliseconds.toFixed(1)} ms`)
  taken.className = 'number'
  const row = element('tr')
  const subject = element('td', userName ?? resourceId ?? resourceType ?? '')
  row.append(name, element('td', operation), subject, status, reason, taken, element('td'))
  return row
}

/** @param {number} status */
function badgeOf(status) {
  const kind = status < 400 ? 'good' : status < 500 ? 'warning' : 'bad'
  const sign = element('span', SIGNS[kind])
  sign.setAttribute('aria-hidden', 'true')
  const badge = element('span')
  badge.className = `badge ${kind}`
  badge.append(sign, ` ${status}`)
  return badge
}

/**
 * @param {string} name
 * @param {string} text
 */
function element(name, text = '') {
  const made = document.createElement(name)
  made.textContent = text
  return made
}
