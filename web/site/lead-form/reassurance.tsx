import { usePageData } from '../../lib/page-data.ts'
import { countOf } from '../../lib/text.ts'
import { PrivacyLine } from '../privacy-line.tsx'

/** Says below the button of a lead form where its details go. It is true in every case, also where no clinic is in reach. */
export function Reassurance() {
  const { network } = usePageData()

  return (
    <>
      <PrivacyLine>
        Private: we share it with the clinic, and with the services that run this site for us. Never sold. We ask the
        clinic to call within one business day. You must be 18 or older.
      </PrivacyLine>
      {network && network.clinics > 0 && (
        <p className="mt-2 pl-7 text-sm leading-snug font-medium text-ink">
          {`${countOf(network.clinics, 'certified clinic')} in ${countOf(network.states, 'state')}`}
        </p>
      )}
    </>
  )
}
