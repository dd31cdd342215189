import type { ComponentProps } from 'react'
import { useLocation } from 'react-router-dom'
import { PROVIDER_FORM, paths } from '../paths.ts'
import { PageLink, SectionLink } from './page-link.tsx'

/** Leads to the lead form: the one on this page if it has one, else the home page's. */
export function FormLink(link: Omit<ComponentProps<typeof SectionLink>, 'anchor'>) {
  // The page for clinics has a form of that name too, but not for those who look for a clinic.
  const isForClinics = useLocation().pathname === paths.clinics
  return isForClinics ? (
    <PageLink {...link} to={paths.home} hash={PROVIDER_FORM} />
  ) : (
    <SectionLink {...link} anchor={PROVIDER_FORM} />
  )
}
