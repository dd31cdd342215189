import { createElement, type ReactNode } from 'react'
import { toast as show } from 'sonner'

type Toast = {
  id?: string | number
  title: string
  description?: ReactNode
  action?: ReactNode
  variant?: 'default' | 'destructive'
  /** In milliseconds, if it is not to go after the usual time. */
  duration?: number
  /** Whether the page says it as well, in an alert. Screen readers then leave the toast out. */
  isAlsoSaid?: boolean
}

/** Where a toast covers nothing that has to be filled in: on a phone the form is in the lower part. */
const PHONE = '(max-width: 39.99rem)'

/** Shows one toast; it takes the place of the one before. */
export function toast({ title, variant = 'default', isAlsoSaid = false, ...rest }: Toast): void {
  show.dismiss()
  setTop()
  const words = (text: ReactNode) => (isAlsoSaid ? createElement('span', { 'aria-hidden': true }, text) : text)
  const options = { ...rest, position: position(), description: rest.description ? words(rest.description) : undefined }
  if (variant === 'destructive') problem = show.error(words(title), options)
  else show(words(title), options)
}

/** Staff have the details of a row at the right. A visitor has the bottom right, and on a phone the top. */
function position() {
  if (document.documentElement.dataset.scheme) return 'bottom-left' as const
  return matchMedia(PHONE).matches ? ('top-center' as const) : undefined
}

/** Tells the toaster where the header of the page ends now: above it may be a banner. */
function setTop(): void {
  const bottom = document.querySelector('header')?.getBoundingClientRect().bottom
  if (bottom) document.documentElement.style.setProperty('--toast-top', `${bottom + GAP}px`)
}
const GAP = 8

/** The last toast that told of a problem. */
let problem: string | number | undefined

/** Takes that toast away, because the visitor has gone on: with a new try, or to another page. */
export function dismissProblem(): void {
  if (problem !== undefined) show.dismiss(problem)
  problem = undefined
}

export function dismissToast(id: string | number): void {
  show.dismiss(id)
}
