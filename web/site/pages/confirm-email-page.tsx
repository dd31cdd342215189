import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { confirmNewEmail, findNewEmail } from '../../../core/contract/provider-emails.ts'
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
          Confirm your new e-mail address
        </h1>
        <ConfirmEmail />
      </div>
    </div>
  )
}

/** Asks a clinic to confirm a new address for its leads. Opening the link alone confirms nothing. */
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
  if (summary.isError) return <Alert title="This address cannot be confirmed">{reasonOf(summary.error)}</Alert>
  const { name, email } = summary.data
  if (confirm.isSuccess) {
    return (
      <p role="status" className="text-xl text-ink wrap-anywhere">
        Thank you. Requests for {name} now go to <Strong>{email}</Strong>.
      </p>
    )
  }
  return (
    <div className="grid justify-items-start gap-5">
      <p className="max-w-[52ch] text-xl text-ink wrap-anywhere">
        Should requests from patients for <Strong>{name}</Strong> go to <Strong>{email}</Strong> from now on?
      </p>
      <p className="max-w-[52ch]">
        If you do not know this address, close this page. Then nothing changes, and please reply to our e-mail.
      </p>
      {confirm.isError && <Alert title="The address was not confirmed">{reasonOf(confirm.error)}</Alert>}
      <Button busy={confirm.isPending} onClick={() => confirm.mutate()}>
        Confirm new address
      </Button>
    </div>
  )
}

function Strong({ children }: { children: ReactNode }) {
  return <strong className="font-semibold">{children}</strong>
}

function reasonOf(error: Error): string {
  const sentence = error instanceof HttpError ? (error.fields?.token ?? error.sentence) : undefined
  return String(sentence ?? 'The server did not answer. Please try again in a minute.')
}
