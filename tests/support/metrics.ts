export type Scrape = {
  text: string
  types: Map<string, string>
  series: Series[]
  /** Names of the series: a histogram has three. */
  names: Set<string>
  /**
   * The value of a series with these labels among its labels; undefined where there is none. @throws Error if several
   * fit
   */
  value(name: string, labels?: Record<string, string>): number | undefined
}

export type SeriesName = { name: string; labels: Record<string, string> }
type Series = SeriesName & { value: number }

/** Reads `GET /metrics`, in the text format 0.0.4. @throws Error for a line that is none of it */
export async function scrape(port: number | string): Promise<Scrape> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`)
  if (response.status !== 200) throw new Error(`/metrics answered ${response.status}`)
  const text = await response.text()
  const types = new Map<string, string>()
  const series: Series[] = []
  for (const line of text.split('\n').filter(Boolean)) {
    const [, named, type] = line.match(/^# TYPE (\S+) (counter|gauge|histogram|summary)$/) ?? []
    if (named && type) types.set(named, type)
    if (!line.startsWith('#')) series.push(readSeries(line))
  }
  return {
    text,
    types,
    series,
    names: new Set(series.map(({ name }) => name)),
    value(name, labels = {}) {
      const found = series.filter(
        (one) => one.name === name && Object.entries(labels).every(([label, value]) => one.labels[label] === value),
      )
      if (found.length > 1) throw new Error(`${found.length} series of ${name} have ${JSON.stringify(labels)}`)
      return found[0]?.value
    },
  }
}

function readSeries(line: string): Series {
  const [, named = '', value] = line.match(/^(\S+?(?:\{.*\})?) (-?[\d.]+(?:e[+-]?\d+)?|[+-]?Inf|nan)$/i) ?? []
  if (value === undefined) throw new Error(`No series: ${line}`)
  return { ...readSeriesName(named), value: Number(value.replace('Inf', 'Infinity')) }
}

/** Reads `name{label="text"}`. @throws Error where it is none */
export function readSeriesName(text: string): SeriesName {
  const [, name, labels = ''] = text.match(/^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?$/) ?? []
  if (name === undefined) throw new Error(`No series: ${text}`)
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)]
  return { name, labels: Object.fromEntries(pairs.map(([, label, value]) => [label, value])) }
}
