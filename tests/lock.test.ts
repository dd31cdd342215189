import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

type Entry = { integrity?: string; link?: boolean }
const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'))
const entries = Object.entries<Entry>(lock.packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && !link,
)

it('package-lock.json has a strong hash of every package, also of those for other platforms', () => {
  expect(entries.length).toBeGreaterThan(100)
  expect(entries.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual([])
})
