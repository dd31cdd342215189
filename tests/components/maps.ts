import { vi } from 'vitest'
import { packPoints } from '../../core/contract/places.ts'
import { answer } from './api.ts'
import type { provider } from './samples.ts'

type Provider = ReturnType<typeof provider>
type Lists = { active?: Provider[]; inactive?: Provider[]; fail?: ('active' | 'inactive')[] }

class AllInSight {
  readonly observe: () => void

  constructor(tell: (entries: object[]) => void) {
    this.observe = () => tell([{ isIntersecting: true }])
  }

  disconnect(): void {}
}

/** Has all of a page in sight, where there is no layout. Until `vi.unstubAllGlobals()`. */
export const putAllInSight = () => vi.stubGlobal('IntersectionObserver', AllInSight)

/** Gives each element the size of a large map, where there is no layout. Until `vi.restoreAllMocks()`. */
export function giveMapsASize(): void {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1200)
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(800)
}

/** Answers the lists of providers that a map asks for, as often as it asks. */
export function answerPoints({ active = [], inactive = [], fail = [] }: Lists): void {
  const all = [...active, ...inactive]
  answer('GET /api/providers', ({ query: { status, ids } }) => {
    if (ids) return all.filter(({ id }) => ids.includes(id)).map(({ email, mpxapi, ...known }) => known)
    if (fail.includes(status)) return new Response(null, { status: 500 })
    const points = (status === 'active' ? active : inactive) as (Provider & { latitude: number; longitude: number })[]
    return packPoints(
      points
        .toSorted((a, b) => a.id - b.id)
        .map((point) => ({ ...point, isFree: point.accepts_free_consultation, hasFinancing: point.accepts_financing })),
    )
  })
}

export function pins(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('img.leaflet-marker-icon')]
}
