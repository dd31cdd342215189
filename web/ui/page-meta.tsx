import { brand } from '../../core/brand.ts'

/** The page's title and what search engines are told. React moves these elements into the document's head. */
export function PageMeta({ title, description, hidden }: { title?: string; description?: string; hidden?: boolean }) {
  return (
    <>
      <title>{title ? `${title} | ${brand.company}` : `${brand.product}: find a certified provider near you`}</title>
      {description && <meta name="description" content={description} />}
      {hidden && <meta name="robots" content="noindex" />}
    </>
  )
}
