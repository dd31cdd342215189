import { Button } from '../../ui/button.tsx'
import { GateCard } from './gate-card.tsx'
import { PasswordChangeForm } from './password-change-form.tsx'
import { useLeave } from './use-leave.ts'
import { usePerson } from './use-person.ts'

/** For those whose password was made by somebody else: it opens nothing but this. */
export function ChoosePassword() {
  const { person } = usePerson()
  const { leave } = useLeave()
  if (!person) return null

  return (
    <GateCard
      title="Choose your password"
      notice={`Welcome, ${person.name}. The password that you were given is only good for choosing your own.`}
    >
      <PasswordChangeForm current="Password you were given" email={person.email} />
      <div className="mt-5 border-t border-line pt-4 text-center">
        <Button variant="ghost" size="small" onClick={leave}>
          Sign out
        </Button>
      </div>
    </GateCard>
  )
}
