import type { ReactNode } from 'react'
import { toast as show } from 'sonner'

export type Toast = {
  id?: string | number
  title: string
  description?: ReactNode
  action?: ReactNode
  variant?: 'default' | 'destructive'
  /** In milliseconds, if it is not to go after the usual time. */
  duration?: number
}

/** Shows one toast; it takes the place of the one before. */
export function toast({ title, variant = 'default', ...rest }: Toast): void {
  show.dismiss()
  // Staff have the details of a row at the right.
  const position = document.documentElement.dataset.scheme ? ('bottom-left' as const) : undefined
  const options = { ...rest, position, description: rest.description || undefined }
  if (variant === 'destructive') show.error(title, options)
  else show(title, options)
}

/** Takes a toast away before its time. */
export function dismissToast(id: string | number): void {
  show.dismiss(id)
}
