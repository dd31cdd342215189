// Before any schema is made.
import './lib/zod-without-eval.ts'
import './app.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { endSession } from './features/session/api/get-session.ts'
import { createQueryClient } from './lib/query-client.ts'
import { AppRoutes } from './routes.tsx'
import { ErrorBoundary } from './ui/error-boundary.tsx'
import { Toaster } from './ui/toaster.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element #root')

createRoot(root).render(
  <StrictMode>
    <ErrorBoundary>
      <QueryClientProvider client={createQueryClient(endSession)}>
        <BrowserRouter>
          <AppRoutes />
          <Toaster />
        </BrowserRouter>
      </QueryClientProvider>
    </ErrorBoundary>
  </StrictMode>,
)
