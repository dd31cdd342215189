import './app.css'
import { recordVisit } from './lib/attribution.ts'
import { tickRendered } from './lib/countdown.ts'
import { holdEarlyClicks, PART_MISSING } from './lib/early-clicks.ts'
import { firstInteraction } from './lib/first-interaction.ts'
import { imageFault } from './lib/image-fault.ts'
import { followInPageLinks } from './lib/in-page-links.ts'
import { loadOrRetry } from './lib/load-or-retry.ts'
import { isAtRest, readPageData } from './lib/rendered-page.ts'
import { watchTouches } from './lib/touches.ts'
import { isReturn, layOutWhole, layOutWholeWhenIdle } from './lib/whole-layout.ts'

recordVisit()
tidyAddress()
watchTouches()
followInPageLinks()
holdEarlyClicks(bringToLife())
if (isReturn()) layOutWhole()
else layOutWholeWhenIdle()

/**
 * Loads React and hydrates the page. A page at rest is hydrated at the first interaction, or when an image fails to load.
 * Never resolves if the script cannot be loaded; the page then works as it does without JavaScript.
 */
async function bringToLife(): Promise<void> {
  const stopTicking = tickRendered(readPageData().offerDeadline)
  if (isAtRest()) await Promise.race([firstInteraction, imageFault()])
  try {
    const { alive } = await loadOrRetry(() => import('./client.tsx'))
    await alive
    stopTicking()
  } catch (error) {
    console.error(error)
    window.dispatchEvent(new Event(PART_MISSING))
    await new Promise(() => {})
  }
}

/** Removes the parameters that an earlier form submission left in the address. */
function tidyAddress(): void {
  const { form } = readPageData()
  // A refused form was posted to the API; the address must be that of its page.
  const url = new URL(form?.url ?? window.location.href, window.location.href)
  url.searchParams.delete('success')
  url.searchParams.delete('error')
  if (url.href !== window.location.href) window.history.replaceState(null, '', url)
}
