import { createColors } from 'picocolors'
import { SECOND } from '../core/contract/time.ts'

/** Without a terminal nothing shows that a step is running, so a step that takes this long says so. */
const SLOW_STEP = 2 * SECOND

/** Sets the text that a step shows once it is done; its label otherwise. */
type Say = (done: string) => void

export interface Terminal {
  /** Runs one step of the start: shows that it runs, then a tick and its time, or a cross. */
  step<T>(label: string, run: (say: Say) => Promise<T>): Promise<T>
  /** Prints one line, or several. */
  print(text: string): void
  /** Prints something that went wrong; the run goes on. */
  warn(text: string): void
  table(rows: [string, string, string?][]): void
}

/** Opens the terminal of the launcher. Where the output is not a terminal (a file, a pipe) there are no control codes. */
export function openTerminal(stream: NodeJS.WriteStream = process.stdout): Terminal {
  const isTerminal = stream.isTTY === true
  const colors = createColors(isTerminal && !process.env.NO_COLOR)
  /** The line of the running step; only a terminal shows it. */
  let running = ''

  // The reader may go away (a closed terminal, `| head`); the product runs on.
  stream.on('error', () => {})
  const print = (text: string) => stream.write(`${running && '\r\x1b[K'}${text}\n${running}`)

  return {
    print,
    warn: (text) => print(`  ${colors.yellow('!')} ${text}`),
    async step(label, run) {
      const startedAt = Date.now()
      let done = label
      const end = (sign: string, text: string) => {
        const line = `  ${sign} ${text}  ${colors.dim(`${((Date.now() - startedAt) / SECOND).toFixed(1)} s`)}`
        stream.write(`${running && '\r\x1b[K'}${line}\n`)
        running = ''
      }
      if (isTerminal) running = `  ${colors.cyan('…')} ${label}`
      stream.write(running)
      const timer = isTerminal ? undefined : setTimeout(() => print(`  … ${label}`), SLOW_STEP)
      try {
        const result = await run((text) => {
          done = text
        })
        end(colors.green('✓'), done)
        return result
      } catch (error) {
        end(colors.red('✗'), label)
        throw error
      } finally {
        clearTimeout(timer)
      }
    },
    table(rows) {
      const width = (column: 0 | 1) => Math.max(...rows.map((row) => row[column].length))
      const [name, address] = [width(0), width(1)]
      const lines = rows.map(([label, url, note = '']) =>
        `  ${colors.bold(label.padEnd(name))}  ${colors.cyan(url.padEnd(address))}  ${colors.dim(note)}`.trimEnd(),
      )
      print(['', ...lines, ''].join('\n'))
    },
  }
}
