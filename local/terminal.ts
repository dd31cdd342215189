import { SECOND } from '../core/time.ts'

/** What a step is called once it is done, when that is more than its first name. */
type Say = (done: string) => void

export interface Terminal {
  /** Runs one step of the start: shows that it runs, then a tick and its time, or a cross. */
  step<T>(label: string, run: (say: Say) => Promise<T>): Promise<T>
  /** One line, or several. */
  print(text: string): void
  /** Something that went wrong; the run goes on. */
  warn(text: string): void
  table(rows: [string, string, string?][]): void
}

const COLORS = { green: 32, red: 31, yellow: 33, cyan: 36, dim: 2, bold: 1 } as const

/** The terminal of the launcher. Without a terminal (a file, a pipe) there are no control codes. */
export function openTerminal(stream: NodeJS.WriteStream = process.stdout): Terminal {
  const isTerminal = stream.isTTY === true
  const isColored = isTerminal && !process.env.NO_COLOR
  const paint = (color: keyof typeof COLORS, text: string) =>
    isColored ? `\x1b[${COLORS[color]}m${text}\x1b[0m` : text
  let running = ''

  // Whoever reads us may go away (a closed terminal, `| head`); the product runs on.
  stream.on('error', () => {})
  const clear = () => {
    if (isTerminal && running) stream.write('\r\x1b[K')
  }
  const print = (text: string) => {
    clear()
    stream.write(`${text}\n`)
    if (isTerminal && running) stream.write(running)
  }
  const begin = (text: string) => {
    running = `  ${paint('cyan', '…')} ${text}`
    if (isTerminal) stream.write(running)
  }
  const end = (text: string) => {
    clear()
    running = ''
    stream.write(`${text}\n`)
  }

  return {
    print,
    warn: (text) => print(`  ${paint('yellow', '!')} ${text}`),
    async step(label, run) {
      const startedAt = Date.now()
      const took = () => paint('dim', `${((Date.now() - startedAt) / SECOND).toFixed(1)} s`)
      let done = label
      begin(label)
      // Without a terminal nothing shows that a long step runs.
      const patience = isTerminal ? undefined : setTimeout(() => print(`  … ${label}`), 2 * SECOND)
      try {
        const result = await run((text) => {
          done = text
        })
        end(`  ${paint('green', '✓')} ${done}  ${took()}`)
        return result
      } catch (error) {
        end(`  ${paint('red', '✗')} ${label}  ${took()}`)
        throw error
      } finally {
        clearTimeout(patience)
      }
    },
    table(rows) {
      const [name, address] = [0, 1].map((column) => Math.max(...rows.map((row) => row[column as 0 | 1].length)))
      const lines = rows.map(
        ([label, url, note]) =>
          `  ${paint('bold', label.padEnd(name ?? 0))}  ${paint('cyan', url.padEnd(address ?? 0))}  ${paint('dim', note ?? '')}`,
      )
      print(['', ...lines.map((line) => line.trimEnd()), ''].join('\n'))
    },
  }
}
