import { FormLink } from '../../shared/page-link.tsx'

export function Banner() {
  return (
    <section
      aria-label="Announcement"
      className="on-dark bg-night text-center print:hidden text-[0.8125rem] text-white sm:text-sm"
    >
      <FormLink className="block px-4 py-2 font-semibold text-balance hover:underline hover:underline-offset-4 focus-visible:-outline-offset-4">
        <span className="whitespace-nowrap">NEW ... Increase Size!</span>{' '}
        <span className="whitespace-nowrap">No Surgery. No Fillers. Just Results.</span>
      </FormLink>
    </section>
  )
}
