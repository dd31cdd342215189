import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { ZipCode } from '../../../core/contract/forms.ts'
import { getZipReach } from '../../../core/contract/places.ts'
import { MINUTE, SECOND } from '../../../core/contract/time.ts'
import { call } from '../../lib/call.ts'
import { HttpError } from '../../lib/http.ts'
import { usePageData } from '../../lib/page-data.ts'
import { queryClient } from '../../lib/query-provider.tsx'
import { dismissProblem, toast } from '../../ui/toast.ts'
import { keptInput } from '../kept-input.ts'
import type { LeadFormLogic } from './use-lead-form.ts'
import { type Reach, UNKNOWN_ZIP } from './zip-answer.tsx'

/** The visitor goes on without an answer after this time. */
const TIMEOUT = 3 * SECOND

/** Asks what a zip code comes to, for the clinic of the page if there is one. One request per zip code in a minute. */
const reachQuery = (zip: string, providerId: number | undefined) =>
  queryOptions({
    queryKey: ['zip-reach', zip, providerId],
    queryFn: () =>
      call(getZipReach, { params: { zip }, query: { providerId }, timeout: TIMEOUT }).catch((error: unknown) => {
        if (error instanceof HttpError && error.status === 404) return null
        throw error
      }),
    staleTime: MINUTE,
  })

/** Returns what a zip code comes to. The server may have sent it along with the page. */
export function useZipReach(zip: string | undefined, providerId: number | undefined): Reach {
  const { zipReach } = usePageData()
  const sent = zipReach && zipReach.zip === zip && zipReach.providerId === providerId ? zipReach : undefined
  // On the server nothing may be kept for what a visitor has typed.
  const asked = import.meta.env.SSR || sent || !ZipCode.safeParse(zip).success ? undefined : zip
  const { data } = useQuery({ ...reachQuery(asked ?? '', providerId), enabled: asked !== undefined }, queryClient)
  if (sent) return sent.reach
  return zip !== undefined && isUnassigned(zip) ? null : data
}

/** Returns whether five digits can be no zip code, such as 00000. The server is not asked about those. */
function isUnassigned(zip: string): boolean {
  return /^\d{5}$/.test(zip) && !ZipCode.safeParse(zip).success
}

type ZipRefusal = { title: string; message: string }

export type ZipTexts = {
  button: string
  refuse: (zip: string) => ZipRefusal | undefined
  asksAboutUnknown?: true
}

/** Keeps the zip code in the address, so that Back leads to the first step and a GET form works without JavaScript. */
export function useZipStep(lead: LeadFormLogic, { refuse, button, asksAboutUnknown }: ZipTexts) {
  const [query, setQuery] = useSearchParams()
  const asked = query.get('zip_code')?.trim()
  const askedRefusal = asked === undefined ? undefined : refuse(asked)
  const isAccepted = asked !== undefined && !askedRefusal
  const [typed, setTyped] = useState(asked ?? keptInput().zip_code ?? '')
  const [refusal, setRefusal] = useState(askedRefusal)
  const field = useRef<HTMLInputElement>(null)
  const { form, providerId } = lead
  const check = useMutation(
    // A visitor goes on without an answer, too.
    { mutationFn: (zip: string) => queryClient.fetchQuery(reachQuery(zip, providerId)).catch(() => undefined) },
    queryClient,
  )

  // A refused plain post shows the zip code beside the other fields, so that no input is lost.
  const asksAgain = lead.initial !== undefined
  const refusedLater = asksAgain ? undefined : lead.errorAt('zip_code')
  const step = asksAgain || (isAccepted && !refusedLater) ? 2 : 1
  const reach = useZipReach(step === 1 ? typed : asked, providerId)

  useEffect(() => {
    if (isAccepted && !asksAgain) form.setValue('zip_code', asked)
  }, [isAccepted, asksAgain, asked, form])

  // Back and "Change zip code" leave what the second step has refused.
  useEffect(() => (isAccepted ? dismissProblem : undefined), [isAccepted])

  function show(problem: ZipRefusal) {
    setRefusal(problem)
    toast({ variant: 'destructive', title: problem.title, description: problem.message })
    field.current?.focus()
  }

  function type(text: string) {
    setTyped(text.trim())
    setRefusal(undefined)
    // The form keeps it for other pages, in place of an earlier one.
    form.setValue('zip_code', text.trim())
  }

  function next() {
    const zip = field.current?.value.trim() ?? ''
    setTyped(zip)
    const problem = refuse(zip)
    if (problem) return show(problem)

    // The list may lack a new zip code, so the same zip code is accepted the second time.
    const wasUnknown = check.data === null && check.variables === zip
    if (!asksAboutUnknown || wasUnknown) return accept(zip)
    // Not called once the visitor has left the page.
    check.mutate(zip, {
      onSuccess(reach) {
        if (reach !== null) return accept(zip)
        show({ title: 'Unknown Zip Code', message: `${UNKNOWN_ZIP} If it is right, press ${button} again.` })
      },
    })
  }

  function accept(zip: string) {
    setRefusal(undefined)
    dismissProblem()
    // The address changes later. Until then the form must not contain the refused zip code.
    form.setValue('zip_code', zip)
    form.clearErrors('zip_code')
    // Back must not lead to the refused zip code.
    setQuery(
      (old) => {
        old.set('zip_code', zip)
        return old
      },
      { replace: refusedLater !== undefined },
    )
  }

  return {
    ...{ step, reach, asksAgain, field, type, next },
    zip: isAccepted ? asked : typed,
    // The server has refused the zip code in the address, not another one that is typed now.
    problem:
      (typed === asked ? refusedLater : undefined) ?? refusal?.message ?? (reach === null ? UNKNOWN_ZIP : undefined),
    isChecking: check.isPending,
  } as const
}
