import { expect, it } from 'vitest'
import { describeInBrowser } from './browser.ts'
import { cutTexts, overflow, smallTargets, violations } from './inspect-page.ts'

describeInBrowser('the inspection of a page', (site) => {
  it('finds what sticks out, what is too small, what is cut off, and what axe knows', async () => {
    const page = await site.open('/terms')
    expect([await overflow(page), await smallTargets(page), await cutTexts(page)]).toEqual([0, [], []])

    await page.evaluate(() => {
      const add = (tag: string, text: string, style: Partial<CSSStyleDeclaration>) => {
        const element = document.createElement(tag)
        element.textContent = text
        Object.assign(element.style, style)
        document.querySelector('main')?.append(element)
      }
      add('div', '', { width: '3000px', height: '1px' })
      add('button', 'x', { width: '10px', height: '10px' })
      add('p', 'Too long for its box', { width: '40px', overflow: 'hidden', whiteSpace: 'nowrap' })
      add('p', 'Ends in an ellipsis', {
        width: '40px',
        overflow: 'hidden',
        whiteSpace: 'nowrap',
        textOverflow: 'ellipsis',
      })
      add('p', 'Silver on white', { color: 'silver' })
    })
    expect(await overflow(page)).toBeGreaterThan(1000)
    expect(await smallTargets(page)).toEqual(['x: 10 x 10'])
    expect(await cutTexts(page)).toEqual([expect.stringMatching(/^Too long for its box: \d+$/)])
    expect(await violations(page)).toEqual(expect.arrayContaining([expect.stringMatching(/^color-contrast: .*Silver/)]))
  })

  it('is told of what the Content-Security-Policy refuses', async () => {
    const page = await site.open('/terms', { expectErrors: /content security policy|Content Security Policy/ })
    const told = page.waitForEvent('console', (message) =>
      message.text().startsWith('content security policy: style-src'),
    )
    await page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<p style="color: red"></p>'))
    await told
  })
})
