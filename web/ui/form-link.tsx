import type { ComponentProps } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { PROVIDER_FORM, paths } from '../paths.ts'
import { SectionLink } from './section-link.tsx'

/** Leads to the lead form: the one on this page if it has one, else the home page's. */
export function FormLink(link: Omit<ComponentProps<typeof SectionLink>, 'anchor'>) {
  // The page for clinics has a form of that name too, but not for those who look for a clinic.
  const isForClinics = useLocation().pathname === paths.clinics
  return isForClinics ? <Link {...link} to={paths.providerForm} /> : <SectionLink {...link} anchor={PROVIDER_FORM} />
}
