import { type ReactNode, useId } from 'react'

type Props = { title: string; badge?: ReactNode; words: string; action?: ReactNode; children?: ReactNode }

/** One kind of factor, with what it is good for. */
export function Part({ title, badge, words, action, children }: Props) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="py-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <h3 id={id} className="flex flex-wrap items-center gap-2 font-semibold text-ink">
            {title}
            {badge}
          </h3>
          <p className="text-sm text-quiet">{words}</p>
        </div>
        {action}
      </div>
      {children}
    </section>
  )
}
