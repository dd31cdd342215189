import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { brand } from '../../core/brand.ts'

it('draws with the colours of the brand', () => {
  const css = readFileSync(new URL('../../web/app.css', import.meta.url), 'utf8')
  for (const [name, value] of Object.entries(brand.colors)) {
    expect(css).toContain(`--color-${name}: ${value};`)
  }
})
