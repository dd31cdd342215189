import { type ReactNode, useId } from 'react'

type Props = {
  title: string
  note?: ReactNode
  action?: ReactNode
  className?: string
  isFlush?: boolean
  children?: ReactNode
}

export function Card({ title, note, action, className = '', isFlush = false, children }: Props) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className={`min-w-0 overflow-hidden rounded-lg border border-line bg-background text-sm ${isFlush ? '' : 'p-4'} ${className}`}
    >
      <div className={`flex flex-wrap items-center justify-between gap-x-4 gap-y-2 ${isFlush ? 'px-4 py-3' : 'mb-3'}`}>
        <h2 id={id} className="text-base font-semibold wrap-anywhere text-ink">
          {title}
        </h2>
        {action}
        {note && (
          // Always a line of its own: the limit of the text alone would let it stand beside the title.
          <div className="w-full text-quiet">
            <div className="max-w-[75ch]">{note}</div>
          </div>
        )}
      </div>
      {children}
    </section>
  )
}

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-2 border-t border-line pt-3">
      <h3 className="font-semibold text-ink">{title}</h3>
      {children}
    </section>
  )
}
