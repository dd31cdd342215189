import { createContext, useContext } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import { namedProvider, type PageData, type ReturnedForm } from '../../core/contract/page.ts'
import type { MicrositeProvider } from '../../core/providers/contract/providers.ts'
import { UNRENDERED } from './rendered-page.ts'
import { parseId } from './texts.ts'

export const PageDataContext = createContext<PageData>(UNRENDERED)

export function usePageData(): PageData {
  return useContext(PageDataContext)
}

/** The form of this very page, if the server has sent it back. */
export function useReturnedForm(): ReturnedForm | undefined {
  const { form } = usePageData()
  const { pathname } = useLocation()
  return form?.url.split('?')[0] === pathname ? form : undefined
}

/** A provider by id, or by the host of its site. */
export type Wanted = { id: number } | { hostname: string }

/** The provider of the page: null on the main site, unknown if the server has not told. */
type ProviderOfPage = { known: true; provider: MicrositeProvider | null } | { known: false; wanted: Wanted }

const NO_PROVIDER: ProviderOfPage = { known: true, provider: null }

/** The provider whose id is in the address, else the one whose host this is. */
export function useProviderOfPage(): ProviderOfPage {
  const [query] = useSearchParams()
  const data = usePageData()
  const named = namedProvider(query)
  return named === undefined ? ofHost(data) : ofAddress(data, parseId(named))
}

/** The id of the provider that the address names, unless there is none of that id: for links that stay with it. */
export function useNamedProviderId(): number | undefined {
  const [query] = useSearchParams()
  const data = usePageData()
  const id = parseId(namedProvider(query) ?? null)
  const ofPage = ofAddress(data, id)
  return ofPage.known && ofPage.provider === null ? undefined : id
}

function ofAddress({ chosen, hostProvider }: PageData, id: number | undefined): ProviderOfPage {
  if (id === undefined) return NO_PROVIDER
  if (id === chosen?.id) return { known: true, provider: chosen.provider }
  if (id === hostProvider?.id) return { known: true, provider: hostProvider }
  return { known: false, wanted: { id } }
}

function ofHost({ hostProvider, mainDomain }: PageData): ProviderOfPage {
  if (hostProvider !== undefined) return { known: true, provider: hostProvider }
  const hostname = import.meta.env.SSR ? mainDomain : window.location.hostname
  return hostname === mainDomain ? NO_PROVIDER : { known: false, wanted: { hostname } }
}

/** The provider to whom a form on this page sends its leads, if it is one's in particular. */
export function useProviderIdOfPage(): number | undefined {
  const ofPage = useProviderOfPage()
  if (ofPage.known) return ofPage.provider?.id
  return 'id' in ofPage.wanted ? ofPage.wanted.id : undefined
}

/** The facts that texts need about the page's clinic: its name, its phone, and whether its consultation is free. */
export type ClinicOfPage = { name: string; phone: string | null; isFree: boolean }

export function clinicOf({ name, practiceName, phone, accepts_free_consultation }: MicrositeProvider): ClinicOfPage {
  return { name: practiceName || name, phone, isFree: accepts_free_consultation }
}

/** The clinic whose page this is, if it is already known when the page is drawn. */
export function useClinicOfPage(): ClinicOfPage | undefined {
  const ofPage = useProviderOfPage()
  return ofPage.known && ofPage.provider ? clinicOf(ofPage.provider) : undefined
}
