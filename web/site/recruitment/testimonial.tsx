import { brand } from '../../../core/brand/brand.ts'
import { Band } from '../../ui/band.tsx'
import { anchors } from './anchors.ts'

const { name, role, portrait } = brand.certifiedProvider

const QUOTE =
  'Patients asked me about this for years, and all I could offer them was a referral to a surgeon. Now I measure on the first day, I measure as we go, and we look at the numbers together.'

export function Testimonial() {
  return (
    <Band id={anchors.testimonials} headingId="testimonials-heading">
      <h2 id="testimonials-heading" className="sr-only">
        What a provider says
      </h2>
      <figure className="grid items-center gap-x-16 gap-y-8 md:grid-cols-[16rem_1fr] lg:grid-cols-[20rem_1fr]">
        <img
          src={portrait}
          alt={`Portrait of ${name}`}
          width="400"
          height="480"
          loading="lazy"
          className="w-48 rounded-2xl md:w-full"
        />
        <div>
          <blockquote className="max-w-[34ch] font-display text-3xl leading-snug text-ink sm:text-4xl sm:leading-snug">
            <p>“{QUOTE}”</p>
          </blockquote>
          <figcaption className="mt-7 border-l-4 border-accent pl-4">
            <p className="font-semibold text-ink">{name}</p>
            <p>{role}</p>
            <p className="mt-1 text-sm text-quiet">One provider’s experience. Results vary.</p>
          </figcaption>
        </div>
      </figure>
    </Band>
  )
}
