import { brand } from '../../../core/brand/brand.ts'
import { buttonClass } from '../../ui/button.tsx'

/** Where the starter kit can be ordered; the shop is not part of this site. */
export function StarterKit() {
  return (
    <section
      aria-labelledby="starter-kit-heading"
      className="on-dark flex flex-wrap content-center items-center justify-between gap-x-8 gap-y-5 rounded-2xl bg-primary p-5 text-white sm:p-7"
    >
      <div className="max-w-[38ch]">
        <h2 id="starter-kit-heading" className="font-display text-2xl font-medium">
          Start while you wait
        </h2>
        <p className="mt-1 text-lilac">
          Order the {brand.product} starter kit and have it at hand for your consultation.
        </p>
      </div>
      <a href={brand.starterKitUrl} target="_blank" rel="noreferrer" className={buttonClass({ variant: 'light' })}>
        Order Your Starter Kit
      </a>
    </section>
  )
}
