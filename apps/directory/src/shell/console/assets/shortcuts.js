// Keyboard shortcuts: the keys in `data-keys` open their link or field. `?` shows the list.

const NAME = 'plumbline-shortcuts'
/** How long (ms) a shortcut's second key may take. */
const WAIT = 1_500
const dialog = document.getElementById('shortcuts')
const opener = document.getElementById('open-shortcuts')
const isOn = document.getElementById('shortcuts-on')

if (dialog instanceof HTMLDialogElement && opener && isOn instanceof HTMLInputElement) {
  isOn.checked = localStorage.getItem(NAME) !== 'off'
  isOn.addEventListener('change', () => localStorage.setItem(NAME, isOn.checked ? 'on' : 'off'))
  opener.hidden = false
  opener.addEventListener('click', () => dialog.showModal())
  listen(dialog, isOn)
}

/**
 * @param {HTMLDialogElement} dialog
 * @param {HTMLInputElement} isOn
 */
function listen(dialog, isOn) {
  let last = { key: '', at: 0 }
  document.addEventListener('keydown', (event) => {
    const { key, target, timeStamp: at } = event
    if (!isOn.checked || event.ctrlKey || event.metaKey || event.altKey || dialog.open) return
    if (target instanceof Element && target.closest('input, select, textarea')) return
    if (key === '?') return dialog.showModal()
    const keys = at - last.at < WAIT ? [`${last.key} ${key}`, key] : [key]
    last = { key, at }
    const found = keys.map(targetOf).find((one) => one !== null)
    if (!found) return
    event.preventDefault()
    if (found instanceof HTMLAnchorElement) found.click()
    else found.focus()
  })
}

/**
 * @param {string} keys
 * @returns {HTMLElement | null}
 */
function targetOf(keys) {
  // A page's own search takes precedence over the menu's.
  for (const place of ['main ', '']) {
    for (const one of document.querySelectorAll(`${place}[data-keys]`)) {
      if (one instanceof HTMLElement && one.dataset.keys === keys) return one
    }
  }
  return null
}
