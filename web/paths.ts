import { type PageName, pages } from './pages.ts'

export const paths = Object.fromEntries(Object.entries(pages).map(([name, { path }]) => [name, path])) as Record<
  PageName,
  string
>

/** Returns the address for editing a provider in WordPress, by the number of its post. */
export function wordpressEditUrl(site: string, postId: number): string {
  return `${site}/wp-admin/post.php?post=${postId}&action=edit`
}
