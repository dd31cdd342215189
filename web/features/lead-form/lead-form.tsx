import type { ChangeEvent, ClipboardEvent } from 'react'
import { CONSENT } from '../../../core/contract/consent.ts'
import { fiveDigits } from '../../lib/zip-code.ts'
import { Button } from '../../ui/button.tsx'
import { CheckboxField } from '../../ui/checkbox-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useLeadForm } from './use-lead-form.ts'

type Form = ReturnType<typeof useLeadForm>['form']

/** The single-page lead form. With a provider the lead goes to that one, else to the nearest. */
export function LeadForm({ providerId }: { providerId?: number }) {
  const { form, submit, isSubmitting } = useLeadForm({ providerId })
  const label = providerId === undefined ? 'Get Started Now!' : 'Learn More!'

  return (
    <form onSubmit={submit} noValidate aria-label="Lead form">
      <div className="grid gap-x-4 sm:grid-cols-2">
        <PersonFields form={form} />
        <ZipField form={form} />
      </div>
      <ConsentField form={form} />
      {providerId !== undefined && (
        <p className="mb-2 text-center text-sm">Click to find out if you qualify for treatment.</p>
      )}
      <Button type="submit" size="large" busy={isSubmitting} className="mt-1 w-full">
        {isSubmitting ? 'Wait! Submitting...' : label}
      </Button>
    </form>
  )
}

// The first invalid field gets the focus in the order of registration: each group registers its own, from top to bottom.
function PersonFields({ form }: { form: Form }) {
  const { errors } = form.formState
  return (
    <>
      <TextField
        label="First Name"
        autoComplete="given-name"
        required
        error={errors.first_name?.message}
        {...form.register('first_name')}
      />
      <TextField
        label="Last Name"
        autoComplete="family-name"
        required
        error={errors.last_name?.message}
        {...form.register('last_name')}
      />
      <TextField
        label="Email"
        type="email"
        autoComplete="email"
        required
        className="sm:col-span-2"
        error={errors.email?.message}
        {...form.register('email')}
      />
      <TextField
        label="Phone"
        type="tel"
        autoComplete="tel"
        required
        error={errors.phone?.message}
        {...form.register('phone')}
      />
    </>
  )
}

function ZipField({ form }: { form: Form }) {
  const { onChange, ...field } = form.register('zip_code')

  // maxLength would cut a pasted " 90210-1234" to " 9021".
  function paste(event: ClipboardEvent<HTMLInputElement>) {
    const text = event.clipboardData.getData('text')
    const zip = fiveDigits(text)
    if (zip === text) return
    event.preventDefault()
    form.setValue('zip_code', zip, { shouldDirty: true, shouldTouch: true, shouldValidate: true })
  }

  // Password managers fill in more than maxLength allows.
  function change(event: ChangeEvent<HTMLInputElement>) {
    event.target.value = fiveDigits(event.target.value)
    return onChange(event)
  }

  return (
    <TextField
      label="Zip Code"
      inputMode="numeric"
      autoComplete="postal-code"
      maxLength={5}
      required
      // Its longest message takes two lines here; nothing may move under the finger that goes for the next field.
      className="sm:min-h-27"
      onPaste={paste}
      onChange={change}
      error={form.formState.errors.zip_code?.message}
      {...field}
    />
  )
}

function ConsentField({ form }: { form: Form }) {
  return (
    <CheckboxField
      label={CONSENT.form.wording}
      required
      error={form.formState.errors.acceptance_consent?.message}
      {...form.register('acceptance_consent')}
    />
  )
}
