import { useRef } from 'react'
import { Button } from './button.tsx'

type Props = {
  /** The noun of the items, in the plural. */
  noun: string
  total: number
  perPage: number
  page: number
  onPage: (page: number) => void
}

/** The specification has "Total: N leads" for every number. Everything else gets its singular. */
const singularOf = (noun: string) => (noun === 'leads' ? noun : noun.replace(/s$/, ''))

export const pagesOf = (total: number, perPage: number) => Math.max(1, Math.ceil(total / perPage))

/** The pages of the list that stands above it in the same box. Another page is shown from its top. */
export function Pager({ noun, total, perPage, page, onPage }: Props) {
  const pages = pagesOf(total, perPage)
  const bar = useRef<HTMLDivElement>(null)

  function show(next: number) {
    onPage(next)
    const box = bar.current?.parentElement
    box?.scrollIntoView({ block: 'start' })
    const list = box?.querySelector<HTMLElement>('table, ul, ol')
    if (!list) return
    list.tabIndex = -1
    list.focus({ preventScroll: true })
  }

  return (
    <div
      ref={bar}
      className="flex flex-wrap items-center justify-between gap-4 border-t border-line px-4 py-4 staff:py-2 staff:text-sm lg:px-6 staff:lg:px-4"
    >
      <p>
        Total: {total} {total === 1 ? singularOf(noun) : noun}
      </p>
      <nav aria-label={`Pages of ${noun}`} className="flex items-center gap-3">
        <Button variant="outline" size="small" disabled={page <= 1} onClick={() => show(page - 1)}>
          Previous
        </Button>
        <p aria-live="polite" className="whitespace-nowrap">
          Page {page} of {pages}
        </p>
        <Button variant="outline" size="small" disabled={page >= pages} onClick={() => show(page + 1)}>
          Next
        </Button>
      </nav>
    </div>
  )
}
