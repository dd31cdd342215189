import { PostForm } from '../../shared/forms/post-form.tsx'
import { Button } from '../../ui/button.tsx'
import { ConsentField, PersonFields, ZipField } from './lead-form-fields.tsx'
import { useLeadForm } from './use-lead-form.ts'

/** Shows the single-page lead form. The lead goes to the given provider, or else to the nearest one. */
export function LeadForm({ providerId }: { providerId?: number }) {
  const lead = useLeadForm({ providerId })
  const label = providerId === undefined ? 'Get Started Now!' : 'Learn More!'

  return (
    <PostForm label="Lead form" logic={lead}>
      <div className="grid gap-x-4 sm:grid-cols-2">
        <PersonFields lead={lead} />
        {/* Its longest message takes two lines here; nothing may move under the finger that goes for the next field. */}
        <ZipField lead={lead} className="sm:min-h-29" />
      </div>
      <ConsentField lead={lead} />
      {providerId !== undefined && (
        <p className="mb-2 text-center text-sm">Click to find out if you qualify for treatment.</p>
      )}
      <Button type="submit" size="large" busy={lead.isSubmitting} className="mt-1 w-full">
        {lead.isSubmitting ? 'Wait! Submitting...' : label}
      </Button>
    </PostForm>
  )
}
