// Stands in for Mailpit, where its image cannot be had: takes every email by SMTP on 1025 and lists the recipients as its
// API does, on 8025. `readyz` asks whether it does.
import { createServer as createHttp } from 'node:http'
import { createServer } from 'node:net'

if (process.argv[2] === 'readyz') {
  const { ok } = await fetch('http://127.0.0.1:8025/api/v1/messages').catch(() => ({ ok: false }))
  process.exit(ok ? 0 : 1)
}
const messages = []
createServer((socket) => {
  let rest = ''
  let recipient = ''
  let isData = false
  const say = (line) => socket.write(`${line}\r\n`)
  say('220 mail')
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    const lines = (rest + chunk).split('\r\n')
    rest = lines.pop()
    for (const line of lines) {
      if (isData) {
        if (line !== '.') continue
        isData = false
        messages.push({ To: [{ Address: recipient }] })
        say('250 taken')
      } else if (/^DATA/i.test(line)) {
        isData = true
        say('354 go on')
      } else if (/^RCPT/i.test(line)) {
        recipient = /<(.*?)>/.exec(line)?.[1]
        say('250 ok')
      } else if (/^QUIT/i.test(line)) {
        say('221 bye')
        socket.end()
      } else say('250 mail')
    }
  })
}).listen(1025)
createHttp((_, response) => response.end(JSON.stringify({ total: messages.length, messages }))).listen(8025)
