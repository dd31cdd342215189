import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { findStaffLink } from '../../../core/contract/session.ts'
import type { LinkAnswer } from '../../../core/contract/staff.ts'
import { call } from '../../lib/call.ts'
import { HttpError } from '../../lib/http.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { GateCard } from './gate-card.tsx'
import { NewPasswordFields } from './new-password-fields.tsx'
import { useChoosePasswordForm } from './use-choose-password-form.ts'

/** Lets the owner of a link choose a password, and signs them in. */
export function ChoosePassword() {
  const token = useToken()
  const link = useQuery({
    queryKey: ['password-link', token],
    queryFn: () => call(findStaffLink, { body: { token: String(token) } }),
    enabled: Boolean(token),
  })

  if (token === '') return <NoLink notice="This link is incomplete. Open it from the e-mail again." />
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

/**
 * The token of the address, which is taken out of it: it must not stay in the history, nor be on the screen. Undefined
 * until the page is alive, empty where there is none.
 */
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

function NoLink({ notice = 'This link does not work any more.' }: { notice?: string }) {
  return (
    <GateCard title="Choose your password" notice={notice}>
      <a href={paths.admin} className="mt-5 inline-block font-semibold text-secondary underline">
        Go to the sign-in
      </a>
    </GateCard>
  )
}

function ChooseForm({ token, link: { kind, name, email } }: { token: string; link: LinkAnswer }) {
  const navigate = useNavigate()
  const { form, submit, isSubmitting } = useChoosePasswordForm(token, () => navigate(paths.admin, { replace: true }))
  const greeting = kind === 'invitation' ? `Welcome, ${name}.` : `Welcome back, ${name}.`

  return (
    <GateCard title="Choose your password" notice={`${greeting} You sign in with ${email} and this password.`}>
      <form onSubmit={submit} noValidate aria-label="Choose your password" className="mt-5">
        {/* Tells password managers whose password it is. */}
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        <NewPasswordFields register={form.register} errors={form.formState.errors} />
        <Button type="submit" busy={isSubmitting} className="mt-4 w-full">
          {isSubmitting ? 'Saving...' : 'Save password and sign in'}
        </Button>
      </form>
    </GateCard>
  )
}
