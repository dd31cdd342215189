// Fetches the page every two seconds and replaces the elements with `data-live` that have changed; opened details stay
// open.
const REFRESH_INTERVAL = 2000
const live = () => document.querySelectorAll('[data-live]')
const shown = new Map([...live()].map((element) => [element.id, element.innerHTML]))

async function refresh() {
  const answer = await fetch(location.href).catch(() => null)
  if (!answer?.ok) return
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
  for (const element of live()) {
    const content = fresh.getElementById(element.id)?.innerHTML
    if (content === undefined || content === shown.get(element.id)) continue
    const open = [...element.querySelectorAll('details[open]')].map((details) => details.id)
    element.innerHTML = content
    shown.set(element.id, content)
    for (const id of open) document.getElementById(id)?.setAttribute('open', '')
  }
}

setInterval(refresh, REFRESH_INTERVAL)
