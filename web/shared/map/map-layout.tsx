import type { ReactNode } from 'react'

/** The height of the map: 400 to 600 pixels. */
export const MAP_HEIGHT = 'h-100 md:h-125 lg:h-150'

type Props = {
  /** The search for a place. */
  search: ReactNode
  failure?: ReactNode
  map: ReactNode
  /** The title of the list, and the list. */
  title: ReactNode
  list?: ReactNode
}

/** Shows a search above a map, with a list beside the map, or below it on a phone. */
export function MapLayout({ search, failure, map, title, list }: Props) {
  return (
    <div className="mx-auto max-w-6xl px-4 pb-16 sm:px-6">
      <div className="flex min-h-50 flex-wrap content-start items-start justify-between gap-x-8 sm:min-h-36 lg:min-h-25">
        {search}
      </div>
      {failure}
      <div className="mt-5 grid overflow-hidden rounded-2xl border border-line bg-white lg:mt-2 lg:grid-cols-[minmax(0,1fr)_24rem]">
        {map}
        <section
          aria-labelledby="in-sight"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it
          tabIndex={0}
          className="relative max-h-150 overflow-y-auto border-line focus-visible:-outline-offset-3 max-lg:border-t lg:border-l"
        >
          <h2 id="in-sight" className="sticky top-0 border-b border-line bg-mist px-5 py-3 font-semibold text-ink">
            {title}
          </h2>
          {list}
        </section>
      </div>
    </div>
  )
}
