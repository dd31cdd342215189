import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { AppError } from '../errors.ts'

/**
 * Reads a password from the person at the terminal: typed twice without being shown, or, if stdin is no terminal, its
 * first line.
 * @throws AppError when the two differ or nothing is entered
 */
export async function askPassword(input: NodeJS.ReadStream = process.stdin): Promise<string> {
  if (!input.isTTY) return firstLine(input)

  const password = await typed(input, 'Password: ')
  if ((await typed(input, 'Again: ')) !== password)
    throw new AppError('invalid', 'The two passwords differ. Nothing was changed.')
  return password
}

async function firstLine(input: NodeJS.ReadStream): Promise<string> {
  let text = ''
  for await (const chunk of input.setEncoding('utf8')) text += chunk
  const [line] = text.split(/\r?\n/)
  if (!line) throw new AppError('invalid', 'No password on stdin. Pipe one in, or run this in a terminal.')
  return line
}

async function typed(input: NodeJS.ReadStream, question: string): Promise<string> {
  process.stderr.write(question)
  // readline would echo the input; this discards it.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input, output, terminal: true })
  reader.on('SIGINT', () => process.exit(130))
  try {
    return await reader.question('')
  } finally {
    reader.close()
    process.stderr.write('\n')
  }
}
