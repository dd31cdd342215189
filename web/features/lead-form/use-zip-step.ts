import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { toast } from '../../ui/toast.ts'
import type { LeadFormLogic } from './use-lead-form.ts'

type Options = {
  lead: LeadFormLogic
  accepts: (zip: string) => boolean
  /** Said when the zip code is not accepted: in a toast, and the message at the field. */
  refusal: { title: string; message: string }
}

/**
 * The steps of a form that asks for the zip code first. The zip code stands in the address: so the browser's Back leads
 * to the first step again, and without JavaScript a plain GET form leads to the second.
 */
export function useZipStep({ lead, accepts, refusal }: Options) {
  const [query, setQuery] = useSearchParams()
  const asked = query.get('zip_code')?.trim()
  const isAccepted = asked !== undefined && accepts(asked)
  const [typed, setTyped] = useState(asked ?? '')
  const [isRefused, setRefused] = useState(asked !== undefined && !isAccepted)
  const { form } = lead

  // A plain post that was refused shows the zip code beside the other fields: none of what was typed may get lost.
  const asksAgain = lead.initial !== undefined
  const refusedLater = asksAgain ? undefined : lead.errorAt('zip_code')

  useEffect(() => {
    if (isAccepted && !asksAgain) form.setValue('zip_code', asked)
  }, [isAccepted, asksAgain, asked, form])

  function next(text: string) {
    const zip = text.trim()
    setTyped(zip)
    setRefused(!accepts(zip))
    if (!accepts(zip)) return toast({ variant: 'destructive', title: refusal.title, description: refusal.message })

    form.clearErrors('zip_code')
    setQuery(
      (old) => {
        old.set('zip_code', zip)
        return old
      },
      // Back must not lead to the zip code that was refused.
      { replace: refusedLater !== undefined },
    )
  }

  return {
    step: asksAgain || (isAccepted && !refusedLater) ? 2 : 1,
    zip: isAccepted ? asked : typed,
    problem: refusedLater ?? (isRefused && !isAccepted ? refusal.message : undefined),
    asksAgain,
    next,
  } as const
}
