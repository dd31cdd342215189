import { expect, it } from 'vitest'
import { brand } from '../../../core/brand/brand.ts'
import { beforeGoingLive } from '../../../core/brand/go-live.ts'

it('lists placeholders, invented people and logos, and what must be true, before going live', () => {
  const points = beforeGoingLive().map(({ what }) => what)
  for (const { name } of [...brand.partners, ...brand.financingPartners]) {
    expect(
      points.some((what) => what.includes(name)),
      name,
    ).toBe(true)
  }
  for (const text of [brand.email, brand.phone, brand.arbitrationCity, brand.creator.name, brand.starterKitUrl]) {
    expect(
      points.some((what) => what.endsWith(text)),
      text,
    ).toBe(true)
  }
  expect(points.join('\n')).toMatch(/Limited Spots Available!.*\n.*countdown/)
})

it('does not list a real value', () => {
  const real = { ...brand, email: 'care@clinics.com', phone: '(212) 744-0100', arbitrationCity: 'Boise, Idaho' }
  const points = beforeGoingLive(real).map(({ what }) => what)
  for (const text of [real.email, real.phone, real.arbitrationCity]) {
    expect(
      points.some((what) => what.endsWith(text)),
      text,
    ).toBe(false)
  }
})
