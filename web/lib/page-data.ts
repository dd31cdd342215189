import { createContext, useContext } from 'react'
import { useLocation } from 'react-router-dom'
import type { PageData, ReturnedForm } from '../../core/contract/page.ts'
import { UNRENDERED } from './rendered-page.ts'

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
