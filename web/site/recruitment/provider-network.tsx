import type { ReactNode } from 'react'
import { Band, BandHeading } from '../../ui/band.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { anchors } from './anchors.ts'
import { OfferLink } from './offer.tsx'

/** Shows the current network on a map. */
export function ProviderNetwork({ map }: { map: ReactNode }) {
  return (
    <Band id={anchors.network} headingId="network-heading">
      <div className="grid items-end gap-x-16 gap-y-8 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <div>
          <BandHeading id="network-heading">Our Provider Network</BandHeading>
          <p className="mt-5 max-w-[54ch] text-lg leading-relaxed">
            Each pin is an independent, certified practice. See how close the nearest one is to yours, and where there
            is none yet.
          </p>
        </div>
        <div className="rounded-2xl border border-line bg-mist p-6">
          <h3 className="font-display text-2xl leading-tight text-ink">Are you a healthcare provider?</h3>
          <p className="mt-1.5">Put your practice on this map.</p>
          <OfferLink className={`${buttonClass()} mt-4`}>Join the Network</OfferLink>
        </div>
      </div>
      <div className="mt-8">{map}</div>
    </Band>
  )
}
