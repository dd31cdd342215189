import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { ClinicOfPage } from '../../lib/page-data.ts'
import { dismissProblem, toast } from '../../ui/toast.ts'
import { keptInput } from '../kept-input.ts'
import type { LeadFormLogic } from './use-lead-form.ts'
import { findZipReach, UNKNOWN_ZIP, useZipAnswer } from './zip-reach.ts'

type Options = Pick<TwoSteps['zip'], 'refuse' | 'button' | 'asksAboutUnknown'> & { lead: LeadFormLogic }

/**
 * Returns the logic of a form that asks for the zip code first. The zip code is in the address, so that the browser's
 * Back leads to the first step and a plain GET form works without JavaScript.
 */
export function useZipStep({ lead, refuse, button, asksAboutUnknown }: Options) {
  const [query, setQuery] = useSearchParams()
  const asked = query.get('zip_code')?.trim()
  const askedRefusal = asked === undefined ? undefined : refuse(asked)
  const isAccepted = asked !== undefined && !askedRefusal
  const [typed, setTyped] = useState(asked ?? keptInput().zip_code ?? '')
  const [refusal, setRefusal] = useState(askedRefusal)
  const [unknown, setUnknown] = useState<string>()
  const [isChecking, setChecking] = useState(false)
  const isShown = useIsShown()
  const { form, providerId } = lead

  // A refused plain post shows the zip code beside the other fields, so that no input is lost.
  const asksAgain = lead.initial !== undefined
  const refusedLater = asksAgain ? undefined : lead.errorAt('zip_code')
  const step = asksAgain || (isAccepted && !refusedLater) ? 2 : 1
  const answer = useZipAnswer(step === 1 ? typed : asked, providerId)

  useEffect(() => {
    if (isAccepted && !asksAgain) form.setValue('zip_code', asked)
  }, [isAccepted, asksAgain, asked, form])

  // Back and "Change zip code" leave what the second step has refused.
  useEffect(() => (isAccepted ? dismissProblem : undefined), [isAccepted])

  function tell(problem: ZipRefusal): false {
    setRefusal(problem)
    toast({ variant: 'destructive', title: problem.title, description: problem.message })
    return false
  }

  function type(text: string) {
    setTyped(text.trim())
    setRefusal(undefined)
    // The form keeps it for other pages, in place of an earlier one.
    form.setValue('zip_code', text.trim())
  }

  /** Goes to the second step. Returns whether the zip code was accepted. */
  async function next(text: string): Promise<boolean> {
    const entered = text.trim()
    setTyped(entered)
    const problem = refuse(entered)
    if (problem) return tell(problem)

    // The list may lack a new zip code, so the same zip code is accepted the second time.
    if (asksAboutUnknown && entered !== unknown) {
      setChecking(true)
      const found = await findZipReach(entered, providerId)
      setChecking(false)
      if (!isShown.current) return true
      if (found === null) {
        setUnknown(entered)
        return tell({ ...UNKNOWN, message: `${UNKNOWN.message} If it is right, press ${button} again.` })
      }
    }
    setRefusal(undefined)
    dismissProblem()
    // The address changes later. Until then the form must not contain the refused zip code.
    form.setValue('zip_code', entered)
    form.clearErrors('zip_code')
    setQuery(
      (old) => {
        old.set('zip_code', entered)
        return old
      },
      // Back must not lead to the refused zip code.
      { replace: refusedLater !== undefined },
    )
    return true
  }

  return {
    step,
    zip: isAccepted ? asked : typed,
    answer,
    // The server has refused the zip code in the address, not another one that is typed now.
    problem: (typed === asked ? refusedLater : undefined) ?? refusal?.message,
    isChecking,
    asksAgain,
    type,
    next,
  } as const
}

const UNKNOWN: ZipRefusal = { title: 'Unknown Zip Code', message: UNKNOWN_ZIP }

/** Returns a check whether the form is still shown. A late answer must not navigate after the visitor has left. */
function useIsShown() {
  const isShown = useRef(false)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return isShown
}

/** The texts for a refused zip code: the title of the toast and the message at the field. */
type ZipRefusal = { title: string; message: string }

/** The differences between the two forms that ask for the zip code first. */
export type TwoSteps = {
  /** The path of the page, used by the first step without JavaScript. */
  path: string
  /** The heading level of the steps. */
  heading: 'h1' | 'h2'
  zip: {
    title: string
    text: string
    label: string
    button: string
    /** Returns the texts for an invalid zip code; undefined for a valid one. */
    refuse: (zip: string) => ZipRefusal | undefined
    /** Whether the visitor is asked once to check a zip code that is in no list. */
    asksAboutUnknown?: true
  }
  person: { title: string; text: string; button: string; busyButton: string }
}

/** Returns the steps with the clinic's name on the clinic's own pages. */
export function stepsFor(clinic: ClinicOfPage | undefined, steps: TwoSteps): TwoSteps {
  return clinic ? { ...steps, zip: { ...steps.zip, text: `Your request goes to ${clinic.name}.` } } : steps
}
