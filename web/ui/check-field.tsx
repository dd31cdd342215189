import type { ComponentProps, ReactNode } from 'react'

type Props = Omit<ComponentProps<'input'>, 'className'> & { label: ReactNode; hint?: string }

export function CheckField({ label, hint, ...input }: Props) {
  return (
    <label className="flex min-h-11 items-center gap-2.5 py-1 text-sm text-ink lg:min-h-9">
      <input type="checkbox" {...input} className="size-5 shrink-0 accent-secondary" />
      <span>
        <span className="font-semibold">{label}</span>
        {hint && <span className="block text-quiet">{hint}</span>}
      </span>
    </label>
  )
}
