/** The id that a text stands for, else undefined. */
export function parseId(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined
}

/** Five digits, if that is what a ZIP+4 (`90210-1234`, `902101234`) comes down to; any other text as it is. */
export function fiveDigits(text: string): string {
  return /^\s*(\d{5})(?:[-\s]?\d{4})?\s*$/.exec(text)?.[1] ?? text
}

/** The address of a website that may have been entered without its scheme. */
export function websiteUrl(website: string): string {
  return /^https?:\/\//i.test(website) ? website : `https://${website}`
}

/** Returns the address for editing a provider in WordPress, by the number of its post. */
export function wordpressEditUrl(site: string, postId: number): string {
  return `${site}/wp-admin/post.php?post=${postId}&action=edit`
}
