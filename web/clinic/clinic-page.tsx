import { QueryClientProvider, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'
import * as calls from '../../core/contract/clinic.ts'
import { CLINIC_PARTS, type ClinicPart } from '../../core/contract/page.ts'
import { call } from '../lib/call.ts'
import { setTimeZone } from '../lib/dates.ts'
import { sentenceOf } from '../lib/http.ts'
import { createQueryClient } from '../lib/query-provider.tsx'
import { PageMeta } from '../shared/page-meta.tsx'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { TextField } from '../ui/text-field.tsx'
import { Card, ClinicShell, PageTitle } from './clinic-shell.tsx'
import { FiguresTab } from './figures-tab.tsx'
import { PeopleTab } from './people-tab.tsx'
import { RequestsTab } from './requests-tab.tsx'
import { SettingsTab } from './settings-tab.tsx'

const SESSION = ['clinic-session']

/** Shows a clinic its requests, figures and people, once it has signed in by a link from an e-mail. */
export function ClinicPage() {
  const [client] = useState(() => createQueryClient((own) => void own.invalidateQueries({ queryKey: SESSION })))
  return (
    <QueryClientProvider client={client}>
      <PageMeta />
      <Gate />
    </QueryClientProvider>
  )
}

function Gate() {
  const linked = useSignInByLink()
  const session = useQuery({
    queryKey: SESSION,
    queryFn: () => call(calls.getClinicSession),
    enabled: linked.state !== 'busy',
  })
  if (session.data) setTimeZone(session.data.time_zone)

  if (linked.state === 'busy' || session.isPending) {
    return (
      <ClinicShell>
        <p role="status">Loading...</p>
        <Skeleton className="h-40 w-full" />
      </ClinicShell>
    )
  }
  if (session.isError) {
    return (
      <ClinicShell>
        <Alert title="Your pages could not be loaded">{sentenceOf(session.error)}</Alert>
        <Button className="justify-self-start" busy={session.isFetching} onClick={() => void session.refetch()}>
          Try again
        </Button>
      </ClinicShell>
    )
  }
  const { clinic } = session.data
  return clinic ? <Home clinic={clinic} /> : <SignIn problem={linked.problem} />
}

/** Signs in with the token of the address, and removes it from there, so that it is not in the history. */
function useSignInByLink(): { state: 'busy' | 'done'; problem?: string } {
  const { hash, search } = useLocation()
  const navigate = useNavigate()
  const client = useQueryClient()
  const [result, setResult] = useState<{ state: 'busy' | 'done'; problem?: string }>({ state: 'busy' })
  useEffect(() => {
    const token = hash.slice(1)
    if (token === '') {
      setResult((known) => (known.problem ? known : { state: 'done' }))
      return
    }
    navigate({ search, hash: '' }, { replace: true })
    call(calls.signInClinic, { body: { token } }).then(
      (session) => {
        client.setQueryData(SESSION, session)
        setResult({ state: 'done' })
      },
      (error: Error) => setResult({ state: 'done', problem: sentenceOf(error) }),
    )
  }, [hash, search, navigate, client])
  return result
}

function SignIn({ problem }: { problem: string | undefined }) {
  const [email, setEmail] = useState('')
  const part = useWantedPart()
  const request = useMutation({ mutationFn: () => call(calls.requestClinicLink, { body: { email, page: part } }) })
  return (
    <ClinicShell>
      <PageTitle>Your requests</PageTitle>
      {problem && <Alert title="You are not signed in">{problem}</Alert>}
      {request.isSuccess ? (
        <Card title="Look into your mail">
          <p role="status" className="wrap-anywhere">
            If {email} belongs to a clinic of our network, a link is on its way. It works once, for 15 minutes.
          </p>
          <Button variant="outline" className="justify-self-start" onClick={() => request.reset()}>
            Use another address
          </Button>
        </Card>
      ) : (
        <Card title="Sign in without a password">
          <p className="max-w-[56ch]">
            Enter the address at which your clinic gets our e-mails. We send a link that opens your pages: all your
            requests, your answers, and how fast you reach people.
          </p>
          <form
            noValidate
            onSubmit={(event) => {
              event.preventDefault()
              request.mutate()
            }}
          >
            <TextField
              label="E-mail address"
              type="email"
              name="email"
              autoComplete="email"
              required
              value={email}
              onChange={(event) => setEmail(event.target.value)}
              error={request.error ? sentenceOf(request.error, 'email') : undefined}
            />
            <Button type="submit" busy={request.isPending}>
              Send the link
            </Button>
          </form>
        </Card>
      )}
    </ClinicShell>
  )
}

/** Returns the part of the pages that the address asks for. */
function useWantedPart(): ClinicPart | null {
  const [params] = useSearchParams()
  return CLINIC_PARTS.find((part) => part === params.get('tab')) ?? null
}

const isPartOfSettings = (part: ClinicPart | null) => part === 'pause' || part === 'address'

type Clinic = NonNullable<calls.ClinicSession['clinic']>

function Home({ clinic }: { clinic: Clinic }) {
  const client = useQueryClient()
  const [, setParams] = useSearchParams()
  const part = useWantedPart()
  const leave = useMutation({
    mutationFn: () => call(calls.signOutClinic),
    onSuccess: (session) => {
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] })
      client.setQueryData(SESSION, session)
    },
  })
  const tabs = [
    { id: 'requests', label: 'Requests', panel: <RequestsTab /> },
    { id: 'figures', label: 'How you are doing', panel: <FiguresTab /> },
    { id: 'settings', label: 'Settings', panel: <SettingsTab part={isPartOfSettings(part) ? part : undefined} /> },
    { id: 'people', label: 'People', panel: <PeopleTab own={clinic.email} /> },
  ]
  return (
    <ClinicShell isWide>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <PageTitle>{clinic.practiceName || clinic.name}</PageTitle>
        <p className="flex flex-wrap items-center gap-x-3 text-sm text-quiet wrap-anywhere">
          {clinic.email}
          <Button
            variant="ghost"
            size="small"
            className="max-sm:-ml-3"
            busy={leave.isPending}
            onClick={() => leave.mutate()}
          >
            Sign out
          </Button>
        </p>
      </div>
      <Tabs
        label="Pages of your clinic"
        tabs={tabs}
        chosen={isPartOfSettings(part) ? 'settings' : part}
        onChoose={(tab) => setParams({ tab })}
      />
    </ClinicShell>
  )
}
