import type { MouseEvent } from 'react'
import { getSession } from '../../core/staff/contract/session.ts'
import { call, confirmIdentity } from '../lib/call.ts'
import { buttonClass, SmallButton } from '../ui/button.tsx'
import { toast } from '../ui/toast.ts'

/** Downloads a file of the API. Confirms the identity first if needed: a failed download could not ask for it. */
export async function download(url: string): Promise<void> {
  try {
    const { identity_confirmed } = await call(getSession)
    if (!identity_confirmed && !(await confirmIdentity())) throw new Error('Confirm that it is you, and try again.')
  } catch (error) {
    const { message } = error as Error
    return toast({ variant: 'destructive', title: 'Failed to download', description: message })
  }
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  link.click()
}

type ButtonProps = { label: string; href: string; isEmpty?: boolean }

export function ExportButton({ label, href, isEmpty = false }: ButtonProps) {
  if (isEmpty) {
    return <SmallButton disabled>{label}</SmallButton>
  }
  function start(event: MouseEvent) {
    event.preventDefault()
    void download(href)
  }
  return (
    <a href={href} download onClick={start} className={buttonClass({ variant: 'outline', size: 'small' })}>
      {label}
    </a>
  )
}
