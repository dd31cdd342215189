// Must run before any schema is created.
import './lib/zod-without-eval.ts'
import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { App } from './app.tsx'
import { isRendered, readPageData } from './lib/rendered-page.ts'
import { AppRoutes } from './routes.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element #root')

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
  // A transition yields to input between small pieces of work.
  if (isRendered()) startTransition(() => void hydrateRoot(root, app))
  else createRoot(root).render(app)
})
