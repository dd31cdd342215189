import { Button } from './button.tsx'

type Props = {
  /** What is on the pages, in the plural. */
  noun: string
  total: number
  page: number
  pages: number
  onPage: (page: number) => void
}

export function Pager({ noun, total, page, pages, onPage }: Props) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-4 border-t border-line px-4 py-4 lg:px-6">
      <p>
        Total: {total} {noun}
      </p>
      <nav aria-label={`Pages of ${noun}`} className="flex items-center gap-3">
        <Button variant="outline" size="small" disabled={page <= 1} onClick={() => onPage(page - 1)}>
          Previous
        </Button>
        <p aria-live="polite" className="whitespace-nowrap">
          Page {page} of {pages}
        </p>
        <Button variant="outline" size="small" disabled={page >= pages} onClick={() => onPage(page + 1)}>
          Next
        </Button>
      </nav>
    </div>
  )
}
