import { useLocation } from 'react-router-dom'
import { brand } from '../../core/brand/brand.ts'
import { useClinicOfPage } from '../lib/page-data.ts'
import { pageAt } from '../pages.ts'

type Props = { title?: string; description?: string; hidden?: boolean }

/** React moves these elements into the document's head. The server adds those that require the full address. */
export function PageMeta(props: Props) {
  const row = pageAt(useLocation().pathname)
  const clinic = useClinicOfPage()
  const title = props.title ?? row?.title
  const fullTitle = title ? `${title} | ${brand.company}` : `${brand.product}: find a certified provider near you`
  const ofRow = typeof row?.description === 'function' ? row.description(clinic) : row?.description
  const description = props.description ?? (props.title === undefined ? ofRow : undefined)
  return (
    <>
      <title>{fullTitle}</title>
      <meta property="og:title" content={fullTitle} />
      {description && <meta name="description" content={description} />}
      {description && <meta property="og:description" content={description} />}
      {(props.hidden || row?.robots === 'noindex') && <meta name="robots" content="noindex" />}
    </>
  )
}
