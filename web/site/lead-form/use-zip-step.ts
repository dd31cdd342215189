import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { ZipCode } from '../../../core/contract/forms.ts'
import { getZipCode, type ZipCodePlace } from '../../../core/contract/zip-codes.ts'
import { call } from '../../lib/call.ts'
import { HttpError } from '../../lib/http.ts'
import { countFault, countStep } from '../../lib/page-views.ts'
import type { ClinicOfPage } from '../../lib/provider-of-page.ts'
import { queryClient } from '../../lib/query-provider.tsx'
import { SECOND } from '../../lib/time.ts'
import { toast } from '../../ui/toast.ts'
import type { LeadFormLogic } from './use-lead-form.ts'

type Options = Pick<TwoSteps['zip'], 'refuse' | 'button'> & { lead: LeadFormLogic }

/**
 * Returns the logic of a form that asks for the zip code first. The zip code is in the address, so that the browser's
 * Back leads to the first step and a plain GET form works without JavaScript.
 */
export function useZipStep({ lead, refuse, button }: Options) {
  const [query, setQuery] = useSearchParams()
  const asked = query.get('zip_code')?.trim()
  const askedRefusal = asked === undefined ? undefined : refuse(asked)
  const isAccepted = asked !== undefined && !askedRefusal
  const [typed, setTyped] = useState(asked ?? '')
  const [refusal, setRefusal] = useState(askedRefusal)
  const [unknown, setUnknown] = useState<string>()
  const [isChecking, setChecking] = useState(false)
  const isShown = useIsShown()
  const { form } = lead

  // A refused plain post shows the zip code beside the other fields, so that no input is lost.
  const asksAgain = lead.initial !== undefined
  const refusedLater = asksAgain ? undefined : lead.errorAt('zip_code')
  const step = asksAgain || (isAccepted && !refusedLater) ? 2 : 1
  const place = useZipPlace(step === 1 ? typed : asked)

  useEffect(() => {
    if (isAccepted && !asksAgain) form.setValue('zip_code', asked)
  }, [isAccepted, asksAgain, asked, form])

  useEffect(() => {
    if (step === 2) countStep('zip_accepted')
  }, [step])

  function tell(problem: ZipRefusal, description = problem.message): false {
    countFault('zip_code')
    setRefusal(problem)
    toast({ variant: 'destructive', title: problem.title, description })
    return false
  }

  function type(text: string) {
    setTyped(text.trim())
    setRefusal(undefined)
  }

  /** Goes to the second step. Returns whether the zip code was accepted. */
  async function next(text: string): Promise<boolean> {
    const entered = text.trim()
    setTyped(entered)
    const problem = refuse(entered)
    if (problem) return tell(problem)

    // The list may lack a new zip code, so the same zip code is accepted the second time.
    if (entered !== unknown) {
      setChecking(true)
      const found = await findZipCode(entered)
      setChecking(false)
      if (!isShown.current) return true
      if (found === null) {
        setUnknown(entered)
        return tell(UNKNOWN, `${UNKNOWN.message} If it is right, press ${button} again.`)
      }
    }
    setRefusal(undefined)
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
    place,
    problem: refusedLater ?? refusal?.message,
    isChecking,
    asksAgain,
    type,
    next,
  } as const
}

const UNKNOWN: ZipRefusal = { title: 'Unknown Zip Code', message: 'We do not know this zip code. Please check it.' }

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

/**
 * Returns the name of a zip code's place, such as "Austin, TX", once it is known; undefined for an invalid zip code.
 */
function useZipPlace(zip = ''): string | undefined {
  const [found, setFound] = useState<{ zip: string; name?: string }>()

  useEffect(() => {
    if (!ZipCode.safeParse(zip).success) return
    let isCurrent = true
    findZipCode(zip).then((place) => {
      const name = place?.city && place.state ? `${place.city}, ${place.state}` : undefined
      if (isCurrent) setFound({ zip, name })
    })
    return () => {
      isCurrent = false
    }
  }, [zip])

  return found?.zip === zip ? found?.name : undefined
}

/** The visitor goes on without an answer after this time. */
const TIMEOUT = 3 * SECOND

/**
 * Returns the place of a zip code; null if the zip code is unknown; undefined if the lookup failed. Sends one request
 * for each zip code.
 */
function findZipCode(zip: string): Promise<ZipCodePlace | null | undefined> {
  return queryClient.fetchQuery({ queryKey: ['zip-codes', zip], queryFn: () => ask(zip) }).catch(() => undefined)
}

async function ask(zip: string): Promise<ZipCodePlace | null> {
  try {
    return await call(getZipCode, { params: { zip }, timeout: TIMEOUT })
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return null
    throw error
  }
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
  }
  person: { title: string; text: string; button: string; busyButton: string }
}

/** Returns the steps with the clinic's name on the clinic's own pages. */
export function stepsFor(clinic: ClinicOfPage | undefined, steps: TwoSteps): TwoSteps {
  return clinic ? { ...steps, zip: { ...steps.zip, text: `Your request goes to ${clinic.name}.` } } : steps
}
