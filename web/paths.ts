import { type PageName, pages } from './pages.ts'

/** The addresses of our pages. */
export const paths = Object.fromEntries(Object.entries(pages).map(([name, { path }]) => [name, path])) as Record<
  PageName,
  string
>

/** Where staff edit a provider that comes from WordPress, by the number of its post there. */
export function wordpressEditUrl(site: string, postId: number): string {
  return `${site}/wp-admin/post.php?post=${postId}&action=edit`
}
