// Shows the copy buttons, which need a script.
for (const button of document.querySelectorAll('button[data-copy]')) {
  if (!(button instanceof HTMLButtonElement) || navigator.clipboard === undefined) continue
  const label = button.textContent
  button.hidden = false
  button.addEventListener('click', async () => {
    const source = document.getElementById(button.dataset.copy ?? '')
    const text = source instanceof HTMLInputElement ? source.value : source?.textContent
    await navigator.clipboard.writeText(text ?? '')
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = label
    }, 2_000)
  })
}
