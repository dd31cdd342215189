import { brand } from '../../../core/brand.ts'

const STEPS = [
  {
    title: 'You send a request',
    text: 'Your name, how to reach you, and a zip code. It takes a minute, and there is no account to make.',
  },
  {
    title: 'We match you with a clinic',
    text: 'Your request goes to the certified provider nearest to you. If nobody is in reach yet, our team keeps looking.',
  },
  {
    title: 'The clinic calls you',
    text: 'They answer your questions and arrange a free consultation. What happens after that is up to you.',
  },
]

/** What happens to a request, told as marks on a scale. */
export function RequestJourney() {
  return (
    <section aria-labelledby="journey-heading" className="mx-auto max-w-6xl px-4 py-16 sm:px-6 lg:py-24">
      <h2 id="journey-heading" className="max-w-[20ch] font-display text-4xl leading-tight text-ink sm:text-5xl">
        How your request travels
      </h2>
      <ol className="mt-10 grid md:grid-cols-3">
        {STEPS.map((step, index) => (
          <Step key={step.title} number={index + 1} {...step} />
        ))}
      </ol>
      <p className="mt-12 max-w-[68ch] border-t border-line pt-6 text-quiet">
        {brand.company} introduces you; it does not treat you. Providers are independent, and consultations, payments
        and refunds are between you and the clinic.
      </p>
    </section>
  )
}

function Step({ number, title, text }: { number: number; title: string; text: string }) {
  return (
    <li className="relative pb-8 pl-12 last:pb-0 md:pt-14 md:pr-8 lg:pr-10 md:pb-0 md:pl-0">
      <span
        aria-hidden="true"
        className="scale-y absolute inset-y-0 left-0 w-5 text-edge/60 md:inset-x-0 md:inset-y-auto md:top-0 md:h-6 md:w-full md:scale-x"
      />
      <span aria-hidden="true" className="absolute top-0 left-0 h-1 w-9 rounded-full bg-accent md:h-10 md:w-1" />
      <h3 className="text-lg font-semibold text-ink">
        <span className="text-secondary">{number}.</span> {title}
      </h3>
      <p className="mt-1 max-w-[38ch]">{text}</p>
    </li>
  )
}
