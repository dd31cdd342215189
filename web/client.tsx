// Must run before any schema is created.
import './lib/zod-without-eval.ts'
import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { App } from './app.tsx'
import { isChanged, isTranslated, tolerateForeignChanges } from './lib/foreign-dom.ts'
import { keepInputOf } from './lib/rebuilt-page.ts'
import { isRendered, readPageData } from './lib/rendered-page.ts'
import { tellSilentInput } from './lib/silent-input.ts'
import { SECOND } from './lib/time.ts'
import { AppRoutes, loadPage } from './routes.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element #root')

/** The longest wait for the parts of a page that was changed. */
const MAX_WAIT = 3 * SECOND

tolerateForeignChanges()
tellSilentInput()

/** Resolves once the page is hydrated; parts with a script of their own may be hydrated later. */
export const alive = new Promise<void>((resolve) => {
  const app = (
    <StrictMode>
      <App data={readPageData()} onAlive={resolve}>
        <BrowserRouter>
          <AppRoutes />
        </BrowserRouter>
      </App>
    </StrictMode>
  )
  if (!isRendered()) return createRoot(root).render(app)
  const hydrate = () => {
    const carryInputOver = keepInputOf(root)
    const onRecoverableError = (error: unknown) => {
      if (isTranslated()) console.info(error)
      else reportError(error)
      carryInputOver()
    }
    // A transition yields to input between small pieces of work.
    startTransition(() => void hydrateRoot(root, app, { onRecoverableError }))
  }
  if (!isChanged(root)) return hydrate()
  // React is going to draw the page again. With all its parts it does so in one go, and no key press is lost.
  Promise.race([loadPage(window.location.pathname), new Promise((late) => setTimeout(late, MAX_WAIT))]).then(hydrate)
})
