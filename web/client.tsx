// Before any schema is made.
import './lib/zod-without-eval.ts'
import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { App } from './app.tsx'
import { isRendered, readPageData } from './lib/rendered-page.ts'
import { AppRoutes } from './routes.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element #root')

/** Resolves once React answers on the page; what of it has scripts of its own may come alive later. */
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
  // As a transition, which React does in small pieces between which the page can react.
  if (isRendered()) startTransition(() => void hydrateRoot(root, app))
  else createRoot(root).render(app)
})
