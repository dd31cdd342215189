import './app.css'
import { holdEarlyClicks, PART_MISSING, watchTouches } from './lib/hydration.ts'
import { followInPageLinks, isReturn, layOutWhole, layOutWholeWhenIdle } from './lib/in-page-links.ts'
import { endOfRest, loadOrRetry, readPageData } from './lib/rendered-page.ts'
import { recordVisit } from './site/attribution.ts'

recordVisit()
tidyAddress()
watchTouches()
followInPageLinks()
holdEarlyClicks(bringToLife())
if (isReturn()) layOutWhole()
else layOutWholeWhenIdle()

/**
 * Loads React and hydrates the page when its rest ends. Never resolves if the script cannot be loaded; the page then
 * works as it does without JavaScript.
 */
async function bringToLife(): Promise<void> {
  await endOfRest()
  try {
    const { alive } = await loadOrRetry(() => import('./client.tsx'))
    await alive
  } catch (error) {
    console.error(error)
    window.dispatchEvent(new Event(PART_MISSING))
    await new Promise(() => {})
  }
}

/** Removes the parameters that an earlier form submission left in the address. */
function tidyAddress(): void {
  const { form } = readPageData()
  // A returned form was posted to the API; the address must be that of its page.
  const url = new URL(form?.url ?? window.location.href, window.location.href)
  url.searchParams.delete('success')
  url.searchParams.delete('error')
  if (url.href !== window.location.href) window.history.replaceState(null, '', url)
}
