// Shows a new token's first request as soon as it is logged.
const place = document.getElementById('first-request')
const dot = document.getElementById('first-request-dot')
if (place !== null && dot !== null) {
  const { tenant = '', token } = place.dataset
  place.textContent = 'Waiting for the first request …'
  const source = new EventSource(`/api/requests/live?${new URLSearchParams({ tenantId: tenant })}`)
  source.addEventListener('open', () => {
    dot.className = 'status status-success'
  })
  source.addEventListener('request', ({ data }) => {
    const { tokenId, method, path, status } = JSON.parse(data)
    if (tokenId !== token) return
    source.close()
    const name = method === 'GET' ? 'Test Connection' : `${method} ${path}`
    place.textContent = `Seen: ${name}, ${status}`
    document.getElementById('first-request-hint')?.remove()
    document.getElementById('first-request-next')?.removeAttribute('hidden')
  })
  source.addEventListener('error', () => {
    // The browser connects again, unless the server has rejected the request.
    dot.className = 'status'
    if (source.readyState === EventSource.CLOSED) {
      place.textContent = 'Waiting for the first request. Reload the page after the test.'
    }
  })
}
