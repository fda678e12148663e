// Shows the copy buttons, also those of rows that another script adds, and copies.
if (navigator.clipboard !== undefined) {
  document.documentElement.classList.add('can-copy')
  document.addEventListener('click', async ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null
    const id = button?.dataset.copy
    if (button === null || id === undefined) return
    const source = document.getElementById(id)
    const text = source instanceof HTMLInputElement ? source.value : source?.textContent
    await navigator.clipboard.writeText(text ?? '')
    button.dataset.label ??= button.textContent
    const { label } = button.dataset
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = label
    }, 2_000)
  })
}
