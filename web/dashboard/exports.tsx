import type { MouseEvent, ReactNode } from 'react'
import { checkConfirmed } from '../../core/contract/session.ts'
import { call } from '../lib/call.ts'
import { toast } from '../ui/toast.ts'

/**
 * Downloads a file of the API. Confirms the person's identity first if necessary, because a failed download could not
 * ask for it.
 */
export async function download(url: string): Promise<void> {
  try {
    await call(checkConfirmed)
  } catch (error) {
    const { message } = error as Error
    return toast({ variant: 'destructive', title: 'Failed to download', description: message })
  }
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  link.click()
}

export function DownloadLink({ href, className, children }: { href: string; className: string; children: ReactNode }) {
  function start(event: MouseEvent) {
    event.preventDefault()
    void download(href)
  }

  return (
    <a href={href} download onClick={start} className={className}>
      {children}
    </a>
  )
}
