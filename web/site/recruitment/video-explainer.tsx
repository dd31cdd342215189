import { brand } from '../../../core/brand/brand.ts'
import { Band, BandHeading } from '../../ui/band.tsx'
import { anchors } from './anchors.ts'
import { VideoPlayer } from './video-player.tsx'

export function VideoExplainer() {
  return (
    <Band id={anchors.video} headingId="video-heading">
      <div className="grid items-center gap-x-14 gap-y-10 lg:grid-cols-[minmax(0,4fr)_minmax(0,7fr)]">
        <div>
          <BandHeading id="video-heading">The Protocol, Explained for Physicians</BandHeading>
          <p className="mt-6 max-w-[44ch] text-lg leading-relaxed">
            What the four elements are, how a patient goes from the consultation to the last measurement, and what your
            practice does at each step.
          </p>
          <p className="mt-5 max-w-[48ch] text-sm text-quiet">
            The film comes from a video platform. Nothing is loaded from there before you press play.
          </p>
        </div>
        <VideoPlayer url={brand.providerVideoUrl} title={`The ${brand.product}, explained for physicians`} />
      </div>
    </Band>
  )
}
