import type { ReactNode } from 'react'

export function Alert({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div role="alert" className="rounded-xl border border-bad bg-bad-soft px-4 py-3 text-bad">
      <p className="font-semibold">{title}</p>
      <div className="wrap-anywhere">{children}</div>
    </div>
  )
}
