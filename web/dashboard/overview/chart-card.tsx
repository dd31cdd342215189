import { type ReactNode, useId, useState } from 'react'
import { Button } from '../../ui/button.tsx'

type Props = {
  title: string
  note?: ReactNode
  /** The same in numbers. Without it the contents are a table already. */
  table?: ReactNode
  children: ReactNode
}

/** A part of the overview: what people rather look at than read, and its table for those who rather read. */
export function ChartCard({ title, note, table, children }: Props) {
  const titleId = useId()
  const [asTable, setAsTable] = useState(false)

  return (
    <section aria-labelledby={titleId} className="min-w-0 rounded-2xl border border-line bg-white p-4 sm:p-6">
      <div className="mb-4">
        <div className="flex items-start justify-between gap-4">
          <h2 id={titleId} className="min-w-0 font-display text-2xl leading-tight font-medium text-ink">
            {title}
          </h2>
          {table && (
            <Button variant="outline" size="small" onClick={() => setAsTable(!asTable)}>
              {asTable ? 'Show as chart' : 'Show as table'}
            </Button>
          )}
        </div>
        {note && <p className="mt-1 max-w-prose text-[0.9375rem] text-quiet">{note}</p>}
      </div>
      {asTable ? table : children}
    </section>
  )
}
