const whole = new Intl.NumberFormat('en-US')

/** `12,345` */
export function formatCount(count: number): string {
  return whole.format(count)
}

/** `1 lead`, `12,345 leads` */
export function countOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
}
