const whole = new Intl.NumberFormat('en-US')

/** `12,345` */
export function formatCount(count: number): string {
  return whole.format(count)
}

/** `1 lead`, `12,345 leads` */
export function countOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** A distance in words, as exact as zip codes are: `less than a mile`, `1 mile`, `1,205 miles`. */
export function milesInWords(miles: number): string {
  return miles < 1 ? 'less than a mile' : countOf(Math.round(miles), 'mile')
}

/** The same as an estimate: `about 12 miles`. */
export const aboutMiles = (miles: number) => `${miles < 1 ? '' : 'about '}${milesInWords(miles)}`

const TITLES = /^(?:(?:dr|prof|mr|mrs|ms)(?:\.\s*|\s+))+(?=\S)/i

/** Returns the first letter of a name without its titles, or of the title if there is nothing else. */
export function initialOf(name: string): string {
  const [initial = ''] = name.trim().replace(TITLES, '')
  return initial.toUpperCase()
}
