import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useLocation, useNavigate } from 'react-router-dom'
import { z } from 'zod'
import { choosePassword, findStaffLink } from '../../core/staff/contract/session.ts'
import { type LinkAnswer, MIN_PASSWORD_LENGTH, PasswordByLink } from '../../core/staff/contract/staff.ts'
import { call } from '../lib/call.ts'
import { HttpError, sentenceOf } from '../lib/http.ts'
import { createQueryClient } from '../lib/query-provider.tsx'
import { paths } from '../pages.ts'
import { PageMeta } from '../shared/page-meta.tsx'
import { Button } from '../ui/button.tsx'
import { fieldsOf, TextField } from '../ui/text-field.tsx'
import { GateCard } from './session/password-prompt.tsx'
import { useEntry } from './session/session.ts'

export function PasswordLinkPage() {
  const [client] = useState(() => createQueryClient())
  return (
    <QueryClientProvider client={client}>
      <PageMeta />
      <main className="grid min-h-dvh content-center justify-items-center bg-mist px-4 py-10">
        <ChoosePassword />
      </main>
    </QueryClientProvider>
  )
}

function ChoosePassword() {
  const token = useToken()
  const link = useQuery({
    queryKey: ['password-link', token],
    queryFn: () => call(findStaffLink, { body: { token: String(token) } }),
    enabled: Boolean(token),
  })

  if (token === '') return <NoLink notice="This link is incomplete. Open it from the email again." />
  if (link.data) return <ChooseForm token={String(token)} link={link.data} />
  if (!link.error) return <p role="status">Loading...</p>
  if (link.error instanceof HttpError && link.error.status === 404) return <NoLink notice={link.error.sentence} />
  return (
    <GateCard title="Choose your password" notice={link.error.message || 'The server is not responding.'}>
      <Button className="mt-5 w-full" busy={link.isFetching} onClick={() => void link.refetch()}>
        Try again
      </Button>
    </GateCard>
  )
}

/** Takes the token out of the address and the history. Undefined until hydration, empty without a token. */
function useToken(): string | undefined {
  const [token, setToken] = useState<string>()
  const { hash } = useLocation()
  const navigate = useNavigate()

  useEffect(() => {
    const given = hash.slice(1)
    setToken((known) => given || known || '')
    if (given) navigate(paths.choosePassword, { replace: true })
  }, [hash, navigate])
  return token
}

function NoLink({ notice = 'This link no longer works.' }: { notice?: string }) {
  return (
    <GateCard title="Choose your password" notice={notice}>
      <a href={paths.admin} className="mt-5 inline-flex min-h-6 items-center font-semibold text-secondary underline">
        Go to the sign-in
      </a>
    </GateCard>
  )
}

function ChooseForm({ token, link: { kind, name, email } }: { token: string; link: LinkAnswer }) {
  const navigate = useNavigate()
  const form = useForm({
    resolver: standardSchemaResolver(TypedTwice),
    defaultValues: { new_password: '', repeated: '' },
  })
  // This signs in, unless the account needs a second step.
  const choose = useEntry((new_password: string) => call(choosePassword, { body: { token, new_password } }))
  const submit = form.handleSubmit(({ new_password }) =>
    choose.mutate(new_password, {
      onSuccess: () => navigate(paths.admin, { replace: true }),
      onError: (error) =>
        form.setError('new_password', { message: sentenceOf(error, 'new_password') }, { shouldFocus: true }),
    }),
  )
  const field = fieldsOf(form)
  const greeting = kind === 'invitation' ? `Welcome, ${name}.` : `Welcome back, ${name}.`

  return (
    <GateCard title="Choose your password" notice={`${greeting} You sign in with ${email} and this password.`}>
      <form onSubmit={submit} noValidate aria-label="Choose your password" className="mt-5">
        {/* Tells password managers whose password it is. */}
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        {(['new_password', 'repeated'] as const).map((name) => (
          <TextField
            key={name}
            label={name === 'repeated' ? 'Confirm new password' : 'New password'}
            type="password"
            autoComplete="new-password"
            required
            {...field(name)}
          />
        ))}
        <p className="text-sm text-quiet">
          {MIN_PASSWORD_LENGTH} characters or more. A few words in a row are easy to remember and hard to guess.
        </p>
        <Button type="submit" busy={choose.isPending} className="mt-4 w-full">
          {choose.isPending ? 'Saving...' : 'Save password and sign in'}
        </Button>
      </form>
    </GateCard>
  )
}

const TypedTwice = PasswordByLink.pick({ new_password: true })
  .extend({ repeated: z.string() })
  .refine(({ new_password, repeated }) => new_password === repeated, {
    path: ['repeated'],
    error: 'The passwords do not match',
  })
