// Shows the copy buttons, including those in rows added by another script, and copies.
if (navigator.clipboard !== undefined) {
  document.documentElement.classList.add('can-copy')
  document.addEventListener('click', async ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null
    const label = button?.querySelector('span')
    const id = button?.dataset.copy
    if (!button || !label || id === undefined) return
    const source = document.getElementById(id)
    const text = source instanceof HTMLInputElement ? source.value : source?.textContent
    await navigator.clipboard.writeText(text ?? '')
    show(button, label, 'copy', 'check', 'Copied')
    setTimeout(() => show(button, label, 'check', 'copy', button.title), 2_000)
  })
}

/**
 * Changes a button's icon and text.
 * @param {Element} button
 * @param {Element} label
 * @param {string} from
 * @param {string} to
 * @param {string} text
 */
function show(button, label, from, to, text) {
  const icon = button.querySelector('use')
  icon?.setAttribute('href', icon.getAttribute('href')?.replace(`#${from}`, `#${to}`) ?? '')
  label.textContent = text
}
