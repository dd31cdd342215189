import { renderToString } from 'react-dom/server'
import { Route, Routes, StaticRouter } from 'react-router-dom'
import { describe, expect, it } from 'vitest'
import { paths } from '../../web/paths.ts'
import { PolicyLinks } from '../../web/site/legal/policy-links.tsx'
import { PrivacyPage } from '../../web/site/pages/privacy-page.tsx'
import { RefundsPage } from '../../web/site/pages/refunds-page.tsx'
import { SiteShell } from '../../web/site/shell/site-shell.tsx'
import { SizeCalculator } from '../../web/site/size-calculator/size-calculator.tsx'

/** The page at that address, as it is before its scripts run. */
function render(path: string): string {
  return renderToString(
    <StaticRouter location={path}>
      <Routes>
        <Route element={<SiteShell policies={<PolicyLinks />} />}>
          <Route path={paths.home} element={<SizeCalculator />} />
          <Route path={paths.privacy} element={<PrivacyPage />} />
          <Route path={paths.refunds} element={<RefundsPage />} />
          <Route path={paths.map} element="map" />
        </Route>
      </Routes>
    </StaticRouter>,
  )
}

describe('a page without its scripts', () => {
  it('leads everywhere by plain links', () => {
    const html = render(paths.home)
    for (const path of ['/#how-it-works', '/#size-calculator', '/#faq', '/map', '/terms', '/privacy', '/refunds']) {
      expect(html).toContain(`href="${path}"`)
    }
  })

  it('has no navigation on the map', () => {
    const html = render(paths.map)
    expect(html).not.toContain('<nav')
    expect(html).not.toContain('Find a Provider')
    expect(html).toContain('href="/"')
  })

  it('shows the initial projection', () => {
    const html = render(paths.home)
    for (const number of ['5.16', '6.20', '4.59', '5.13']) expect(html).toContain(`>${number}<`)
    expect(html).toContain('value="5.16"')
    expect(html).toContain('aria-valuetext="5.16 inches, projected 6.20 inches after 6 months"')
  })

  it('names no day or year of its building', () => {
    const html = render(paths.refunds)
    expect(html).not.toContain(String(new Date().getFullYear()))
    expect(html).toMatch(/Last updated: (<!-- -->)?today/)
  })

  it('is called by the words of its policy, which the footer has in short', () => {
    const html = render(paths.refunds)
    expect(html).toMatch(/<h1[^>]*>Refund and Cancellation Policy</)
    expect(html).toContain('>Refund &amp; Cancellation Policy<')
  })

  it.each([paths.home, paths.privacy, paths.refunds])('%s has no inline style or script', (path) => {
    expect(render(path)).not.toMatch(/ style=|<style|<script/)
  })
})
