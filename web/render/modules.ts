import type { PageData } from '../../core/contract/page.ts'
import { paths } from '../paths.ts'

/** Parts of pages that are not rendered by the server, but wanted as soon as the page is there. */
export const PARTS = ['features/providers/map/network-map.tsx']

/** Which files of `web/pages` draw a page, and which parts: the browser is told to load them at once. */
export function modulesOf(pathname: string, { hostProvider, chosen }: PageData): string[] {
  const module = MODULES[pathname] ?? 'pages/not-found-page.tsx'
  if (pathname === paths.map) return [module, ...PARTS]
  if (pathname !== paths.home) return [module]

  const isMicrosite = chosen ? chosen.provider : hostProvider
  return [module, isMicrosite ? 'pages/microsite-page.tsx' : 'pages/landing-page.tsx']
}

const MODULES: Record<string, string> = {
  [paths.home]: 'pages/home-page.tsx',
  [paths.start]: 'pages/start-page.tsx',
  [paths.findProvider]: 'pages/find-provider-page.tsx',
  [paths.microsite]: 'pages/microsite-route.tsx',
  [paths.privacy]: 'pages/privacy-page.tsx',
  [paths.terms]: 'pages/terms-page.tsx',
  [paths.refunds]: 'pages/refunds-page.tsx',
  [paths.map]: 'pages/map-page.tsx',
  [paths.clinics]: 'pages/clinics-page.tsx',
  [paths.success]: 'pages/success-page.tsx',
  [paths.confirmEmail]: 'pages/confirm-email-page.tsx',
  [paths.optOut]: 'pages/opt-out-page.tsx',
  [paths.clinicOptOut]: 'pages/opt-out-page.tsx',
}
