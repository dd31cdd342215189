import { FormLink } from '../../ui/form-link.tsx'

export function Banner() {
  return (
    <FormLink className="on-dark block bg-night px-4 py-2 text-center text-[0.8125rem] font-semibold text-balance sm:text-sm text-white hover:underline hover:underline-offset-4">
      NEW ... Increase Size! No Surgery. No Fillers. Just Results.
    </FormLink>
  )
}
