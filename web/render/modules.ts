import type { PageData } from '../../core/contract/page.ts'
import { paths } from '../paths.ts'

/** Parts of pages that are not rendered by the server, but wanted as soon as the page is there. */
export const PARTS = ['shared/map/network-map.tsx']

/** Which files of `web/site/pages` draw a page, and which parts: the browser is told to load them at once. */
export function modulesOf(pathname: string, { hostProvider, chosen }: PageData): string[] {
  const module = MODULES[pathname] ?? 'site/pages/not-found-page.tsx'
  if (pathname === paths.map) return [module, ...PARTS]
  if (pathname !== paths.home) return [module]

  const isMicrosite = chosen ? chosen.provider : hostProvider
  return [module, isMicrosite ? 'site/pages/microsite-page.tsx' : 'site/pages/landing-page.tsx']
}

const MODULES: Record<string, string> = {
  [paths.home]: 'site/pages/home-page.tsx',
  [paths.start]: 'site/pages/start-page.tsx',
  [paths.findProvider]: 'site/pages/find-provider-page.tsx',
  [paths.microsite]: 'site/pages/microsite-route.tsx',
  [paths.privacy]: 'site/pages/privacy-page.tsx',
  [paths.terms]: 'site/pages/terms-page.tsx',
  [paths.refunds]: 'site/pages/refunds-page.tsx',
  [paths.map]: 'site/pages/map-page.tsx',
  [paths.clinics]: 'site/pages/clinics-page.tsx',
  [paths.success]: 'site/pages/success-page.tsx',
  [paths.confirmEmail]: 'site/pages/confirm-email-page.tsx',
  [paths.optOut]: 'site/pages/opt-out-page.tsx',
  [paths.clinicOptOut]: 'site/pages/opt-out-page.tsx',
}
