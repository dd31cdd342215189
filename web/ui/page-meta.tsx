import { brand } from '../../core/brand/brand.ts'

type Props = { title?: string; description?: string; hidden?: boolean }

/**
 * The page's title and what search engines and social networks are told; the server adds what needs the whole address.
 * React moves these elements into the document's head.
 */
export function PageMeta({ title, description, hidden }: Props) {
  const fullTitle = title ? `${title} | ${brand.company}` : `${brand.product}: find a certified provider near you`
  return (
    <>
      <title>{fullTitle}</title>
      <meta property="og:title" content={fullTitle} />
      {description && <meta name="description" content={description} />}
      {description && <meta property="og:description" content={description} />}
      {hidden && <meta name="robots" content="noindex" />}
    </>
  )
}
