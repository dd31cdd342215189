const TITLES = /^(?:(?:dr|prof|mr|mrs|ms)(?:\.\s*|\s+))+(?=\S)/i

/** Returns the first letter of a name without its titles, or of the title if there is nothing else. */
export function initialOf(name: string): string {
  const [initial = ''] = name.trim().replace(TITLES, '')
  return initial.toUpperCase()
}
