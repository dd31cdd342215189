import type { ReactNode } from 'react'
import { toast as show } from 'sonner'

export type Toast = {
  /** The toast that is already shown under this id is replaced. */
  id?: string | number
  title: string
  description?: string
  action?: ReactNode
  variant?: 'default' | 'destructive'
}

export function toast({ title, variant = 'default', ...rest }: Toast): void {
  const options = { ...rest, description: rest.description || undefined }
  if (variant === 'destructive') show.error(title, options)
  else show(title, options)
}
