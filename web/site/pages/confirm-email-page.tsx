import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { confirmNewEmail, findNewEmail, type NewEmailSummary } from '../../../core/contract/provider-emails.ts'
import { call } from '../../lib/call.ts'
import { HttpError } from '../../lib/http.ts'
import { QueryProvider } from '../../lib/query-provider.tsx'
import { useHydrated } from '../../lib/use-hydrated.ts'
import { PageMeta } from '../../shared/page-meta.tsx'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

export function ConfirmEmailPage() {
  return (
    <div className="grid grow bg-mist">
      <PageMeta />
      <div className="mx-auto grid w-full max-w-3xl content-center gap-6 px-4 py-20 sm:px-6 lg:py-36">
        <h1 className="font-display text-4xl leading-tight font-medium text-ink sm:text-5xl">
          Your clinic’s <span className="whitespace-nowrap">e-mail</span> address
        </h1>
        <ConfirmEmail />
      </div>
    </div>
  )
}

/** Asks a clinic to confirm a new address, or to undo a change. Opening the link alone changes nothing. */
function ConfirmEmail() {
  const isHydrated = useHydrated()
  if (!isHydrated) return <Skeleton className="h-32 w-full" />
  return (
    <QueryProvider>
      <Question token={window.location.hash.slice(1)} />
    </QueryProvider>
  )
}

function Question({ token }: { token: string }) {
  const body = { token }
  const summary = useQuery({
    queryKey: ['email-confirmation', token],
    queryFn: () => call(findNewEmail, { body }),
    retry: false,
    refetchOnWindowFocus: false,
  })
  const confirm = useMutation({ mutationFn: () => call(confirmNewEmail, { body }) })

  if (summary.isPending) return <Skeleton className="h-32 w-full" />
  if (summary.isError) return <Alert title="This link does not work">{reasonOf(summary.error)}</Alert>
  const { question, warning, label, done } = wordsOf(summary.data)
  if (confirm.isSuccess) {
    return (
      <p role="status" className="text-xl text-ink wrap-anywhere">
        {done}
      </p>
    )
  }
  return (
    <div className="grid justify-items-start gap-5">
      <p className="max-w-[52ch] text-xl text-ink wrap-anywhere">{question}</p>
      <p className="max-w-[52ch] wrap-anywhere">{warning}</p>
      {confirm.isError && <Alert title="Nothing was changed">{reasonOf(confirm.error)}</Alert>}
      <Button busy={confirm.isPending} onClick={() => confirm.mutate()}>
        {label}
      </Button>
    </div>
  )
}

type Words = { question: ReactNode; warning: ReactNode; label: string; done: ReactNode }

/** Returns the question of a link, and what has happened after the answer. */
function wordsOf({ name, email, does, other, asked_by }: NewEmailSummary): Words {
  const clinic = <Strong>{name}</Strong>
  const address = <Strong>{email}</Strong>
  const now = (
    <>
      Thank you. Requests for {name} now go to {address}.
    </>
  )
  const asked = `${asked_by} asked for it. If you do not know this clinic, close this page. Then nothing changes.`
  switch (does) {
    case 'wordpress':
      return {
        question: (
          <>
            Should requests from patients for {clinic} go to {address} from now on?
          </>
        ),
        warning:
          'If you do not know this address, close this page. Then nothing changes, and please reply to our e-mail.',
        label: 'Confirm new address',
        done: now,
      }
    case 'activate':
      return {
        question: (
          <>
            Should requests from patients for {clinic} come to {address}?
          </>
        ),
        warning: 'If you do not know this clinic, close this page. Then nothing is sent to you.',
        label: 'Confirm this address',
        done: (
          <>
            Thank you. Requests for {name} now come to {address}.
          </>
        ),
      }
    case 'requests':
      return {
        question: (
          <>
            Should requests from patients for {clinic} come to {address} from now on?
          </>
        ),
        warning: asked,
        label: 'Confirm new address',
        done: now,
      }
    case 'late':
      return {
        question: (
          <>
            Should {address} be told when a request for {clinic} has no answer in time?
          </>
        ),
        warning: asked,
        label: 'Confirm new address',
        done: (
          <>
            Thank you. We tell {address} when a request for {name} has no answer in time.
          </>
        ),
      }
    case 'undo':
      return {
        question: (
          <>
            Should requests from patients for {clinic} go to {address}, and not to {other}?
          </>
        ),
        warning: `${asked_by} asked for ${other}. If that is right, close this page. Then nothing changes.`,
        label: 'Undo the change',
        done: (
          <>
            The change is undone. Requests for {name} go to {address}.
          </>
        ),
      }
    case 'undo_late':
      return {
        question: (
          <>
            Should we no longer tell {other} when a request for {clinic} has no answer in time?
          </>
        ),
        warning: `${asked_by} asked for ${other}. If that is right, close this page. Then nothing changes.`,
        label: 'Undo the change',
        done: (
          <>
            The change is undone. We do not tell {other} when a request for {name} has no answer in time.
          </>
        ),
      }
  }
}

function Strong({ children }: { children: ReactNode }) {
  return <strong className="font-semibold">{children}</strong>
}

function reasonOf(error: Error): string {
  const sentence = error instanceof HttpError ? (error.fields?.token ?? error.sentence) : undefined
  return String(sentence ?? 'The server did not answer. Please try again in a minute.')
}
