import { QueryClientProvider, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'
import type { OutputOf } from '../../core/contract/call.ts'
import { CLINIC_PARTS, type ClinicPart } from '../../core/contract/page.ts'
import type { ClinicFigures, ClinicMonth } from '../../core/providers/contract/clinic.ts'
import * as calls from '../../core/providers/contract/clinic.ts'
import { call } from '../lib/call.ts'
import { formatMonth, setTimeZone } from '../lib/dates.ts'
import { sentenceOf } from '../lib/http.ts'
import { countOf, formatDuration, formatShare } from '../lib/numbers.ts'
import { createQueryClient } from '../lib/query-provider.tsx'
import { PageMeta } from '../shared/page-meta.tsx'
import { Button } from '../ui/button.tsx'
import { Alert, Skeleton } from '../ui/feedback.tsx'
import { Loaded } from '../ui/load-error.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { Card, ClinicShell, EmailForm, PageTitle } from './clinic-shell.tsx'
import { PeopleTab } from './people-tab.tsx'
import { RequestsTab } from './requests-tab.tsx'
import { CLINIC_SESSION, SettingsTab, useSettings } from './settings-tab.tsx'

/** Shows a clinic its requests, figures and people, once it has signed in by a link from an email. */
export function ClinicPage() {
  const [client] = useState(() => createQueryClient((own) => void own.invalidateQueries({ queryKey: CLINIC_SESSION })))
  return (
    <QueryClientProvider client={client}>
      <PageMeta />
      <Gate />
    </QueryClientProvider>
  )
}

function Gate() {
  const [token, forget] = useLinkToken()
  const link = useQuery({
    queryKey: ['clinic-link', token],
    queryFn: () => call(calls.findClinicLink, { body: { token: token ?? '' } }),
    enabled: token !== null,
  })
  const session = useQuery({ queryKey: CLINIC_SESSION, queryFn: () => call(calls.getClinicSession) })
  if (session.data) setTimeZone(session.data.time_zone)

  if (session.isPending || (token !== null && link.isPending)) {
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
  if (token !== null && link.data) return <OpenPages token={token} link={link.data} signedIn={clinic} onDone={forget} />
  return clinic ? <Home clinic={clinic} /> : <SignIn problem={link.error ? sentenceOf(link.error) : undefined} />
}

/** Takes the token of a link out of the address, so that it is not in the history. Returns it until it is forgotten. */
function useLinkToken(): [token: string | null, forget: () => void] {
  const { hash, search } = useLocation()
  const navigate = useNavigate()
  const [token, setToken] = useState<string | null>(hash.slice(1) || null)
  useEffect(() => {
    if (hash.length <= 1) return
    setToken(hash.slice(1))
    navigate({ search, hash: '' }, { replace: true })
  }, [hash, search, navigate])
  return [token, () => setToken(null)]
}

type OpenPagesProps = {
  token: string
  link: OutputOf<typeof calls.findClinicLink>
  signedIn: Clinic | null
  onDone: () => void
}

/** Asks before a link signs in: mail scanners open links, too, and a link must not replace another clinic's session. */
function OpenPages({ token, link: { clinic, email }, signedIn, onDone }: OpenPagesProps) {
  const enter = useEnter()
  const name = nameOf(clinic)
  const open = useMutation({
    mutationFn: () => call(calls.signInClinic, { body: { token } }),
    onSuccess: (session) => {
      enter(session)
      onDone()
    },
  })
  const isOther = signedIn !== null && signedIn.id !== clinic.id
  return (
    <ClinicShell>
      <PageTitle>Your requests</PageTitle>
      {open.error && <Alert title="You are not signed in">{sentenceOf(open.error)}</Alert>}
      <Card title={name}>
        <p className="max-w-[56ch] wrap-anywhere">
          This link signs in {email} to the pages of {name}.
          {isOther && ` This browser is signed in to ${nameOf(signedIn)}, which it will leave.`}
        </p>
        <div className="flex flex-wrap gap-3">
          <Button size="large" busy={open.isPending} onClick={() => open.mutate()}>
            Open the pages of {name}
          </Button>
          {(signedIn || open.error) && (
            <Button variant="outline" size="large" onClick={onDone}>
              {signedIn ? `Stay with ${nameOf(signedIn)}` : 'Ask for a new link'}
            </Button>
          )}
        </div>
      </Card>
    </ClinicShell>
  )
}

const nameOf = ({ name, practiceName }: { name: string; practiceName: string | null }) => practiceName || name

function SignIn({ problem }: { problem: string | undefined }) {
  const [email, setEmail] = useState('')
  const part = useWantedPart()
  const request = useMutation({ mutationFn: () => call(calls.requestClinicLink, { body: { email, page: part } }) })
  return (
    <ClinicShell>
      <PageTitle>Your requests</PageTitle>
      {problem && <Alert title="You are not signed in">{problem}</Alert>}
      {request.isSuccess ? (
        <Card title="Check your email">
          <p role="status" className="wrap-anywhere">
            If {email} belongs to a clinic in our network, a link is on its way. It works once, for four hours.
          </p>
          <Button variant="outline" className="justify-self-start" onClick={() => request.reset()}>
            Use another address
          </Button>
        </Card>
      ) : (
        <Card title="Sign in without a password">
          <p className="max-w-[56ch]">
            Enter the address where your clinic gets our emails. We send a link that opens your pages: your requests,
            your answers, and how fast you reach people.
          </p>
          <EmailForm submit="Send the link" autoComplete="email" email={email} onType={setEmail} sending={request} />
        </Card>
      )}
    </ClinicShell>
  )
}

function useWantedPart(): ClinicPart | null {
  const [params] = useSearchParams()
  return CLINIC_PARTS.find((part) => part === params.get('tab')) ?? null
}

type Clinic = NonNullable<calls.ClinicSession['clinic']>

/** Returns what makes a session that of this browser, and forgets what an earlier one has loaded. */
function useEnter() {
  const client = useQueryClient()
  return (session: calls.ClinicSession) => {
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== CLINIC_SESSION[0] })
    client.setQueryData(CLINIC_SESSION, session)
  }
}

function Home({ clinic }: { clinic: Clinic }) {
  const [, setParams] = useSearchParams()
  const part = useWantedPart()
  const leave = useMutation({ mutationFn: () => call(calls.signOutClinic), onSuccess: useEnter() })
  const tabs = [
    { id: 'requests', label: 'Requests', panel: <RequestsTab /> },
    { id: 'figures', label: 'Results', panel: <FiguresTab /> },
    { id: 'settings', label: 'Settings', panel: <SettingsTab isForPause={part === 'pause'} /> },
    { id: 'people', label: 'People', panel: <PeopleTab own={clinic.email} /> },
  ]
  return (
    <ClinicShell isWide>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <PageTitle>{nameOf(clinic)}</PageTitle>
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
        label="Your clinic’s pages"
        tabs={tabs}
        chosen={part === 'pause' ? 'settings' : part}
        onChoose={(tab) => setParams({ tab })}
      />
    </ClinicShell>
  )
}

function FiguresTab() {
  return (
    <Loaded of={useSettings()} fallback="Your figures could not be loaded." className="h-60 w-full">
      {({ figures: { days, months, answer_time, answered_in_time, reached, booked } }) => (
        <div className="grid gap-5">
          <Card title="Month by month">
            {months.length === 0 && <p>No request has come yet.</p>}
            <ol className="divide-y divide-line">
              {months.map((month) => (
                <Month key={month.month} {...month} />
              ))}
            </ol>
          </Card>
          <Card title={`The last ${days} days, beside the median clinic of the network`}>
            <p className="text-ink">
              Time to your first answer, nights and weekends included: {inWords(answer_time.own, formatDuration)}. The
              median clinic: {inWords(answer_time.network, formatDuration)}.
            </p>
            <div className="grid gap-5 sm:grid-cols-3">
              <Compared title="Answered in time" {...answered_in_time} />
              <Compared title="Reached" {...reached} />
              <Compared title="Booked" {...booked} />
            </div>
          </Card>
        </div>
      )}
    </Loaded>
  )
}

const inWords = (value: number | null, format: (value: number) => string) =>
  value === null ? 'no figure yet' : format(value)

/** Shows the way of a month's requests. The bars are shares of its requests. */
function Month({ month, requests, ...stages }: ClinicMonth) {
  return (
    <li className="grid gap-2 py-3 sm:grid-cols-[10rem_1fr] sm:gap-6">
      <p>
        <strong className="font-semibold text-ink">{formatMonth(month)}</strong>
        <br />
        {countOf(requests, 'request')}
      </p>
      <dl className="grid gap-2 sm:grid-cols-3">
        {(['reached', 'booked', 'came'] as const).map((stage) => (
          <Bar key={stage} label={`→ ${stages[stage]} ${stage}`} share={stages[stage] / requests} />
        ))}
      </dl>
    </li>
  )
}

function Compared({ title, own, network }: { title: string } & ClinicFigures['booked']) {
  return (
    <section>
      <h3 className="font-semibold text-ink">{title}</h3>
      <dl className="grid gap-2">
        <Bar label="You" share={own} />
        <Bar label="Median clinic" share={network} isQuiet />
      </dl>
    </section>
  )
}

/** Draws a share on a scale from 0 to 100 %. */
function Bar({ label, share, isQuiet = false }: { label: string; share: number | null; isQuiet?: boolean }) {
  return (
    <div className="grid gap-1">
      <div className="flex justify-between gap-4">
        <dt className="text-quiet">{label}</dt>
        <dd className="font-semibold text-ink">{inWords(share, formatShare)}</dd>
      </div>
      <div aria-hidden="true" className="h-2 rounded-full bg-mist">
        <div
          className={`h-2 rounded-full ${isQuiet ? 'bg-edge' : 'bg-secondary'}`}
          style={{ width: `${(share ?? 0) * 100}%` }}
        />
      </div>
    </div>
  )
}
