import { afterAll, beforeAll, vi } from 'vitest'
import { packPoints } from '../../core/contract/places.ts'
import { answer } from './api.ts'
import type { provider } from './samples.ts'

type Provider = ReturnType<typeof provider>
type Lists = { active?: Provider[]; inactive?: Provider[]; fail?: ('active' | 'inactive')[] }

// happy-dom's have nothing to draw on. Not by a spy: outlines may still be drawn when a test has ended.
const paper = new Proxy({}, { get: () => () => {}, set: () => true }) as CanvasRenderingContext2D
HTMLCanvasElement.prototype.getContext = (() => paper) as unknown as HTMLCanvasElement['getContext']

/** Says that all of a page is in sight, where there is no layout. */
class AllInSight extends IntersectionObserver {
  readonly #tell: IntersectionObserverCallback

  constructor(tell: IntersectionObserverCallback) {
    super(tell)
    this.#tell = tell
  }

  override observe(): void {
    this.#tell([{ isIntersecting: true } as IntersectionObserverEntry], this)
  }
}

/** Has all of a page in sight in the tests of a file. Later files of the worker have no map in sight. */
export function useMapsInSight(): void {
  const real = globalThis.IntersectionObserver
  beforeAll(() => {
    globalThis.IntersectionObserver = AllInSight
  })
  afterAll(() => {
    globalThis.IntersectionObserver = real
  })
}

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
