import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../local/ports.ts'
import { waitFor } from '../support/wait.ts'

/** The mailbox of a Dovecot on loopback. */
export type Dovecot = {
  url: string
  /** Puts messages into the mailbox, as a mail server does. */
  deliver(...messages: string[]): Promise<void>
  /** The subjects of the messages that count as read, and of those that do not. */
  subjects(): Promise<{ read: string[]; unread: string[] }>
  stop(): Promise<void>
}

const PASSWORD = 'letters@home'

/** Starts a Dovecot with one user, `replies@clinics.example`, whose password needs to be encoded in an address. */
export async function startDovecot(): Promise<Dovecot> {
  const folder = await mkdtemp(join(tmpdir(), 'leadwell-dovecot-'))
  const port = await freePort()
  const inbox = join(folder, 'mail')
  await chmod(folder, 0o755)
  for (const part of ['', 'new', 'cur', 'tmp']) {
    await mkdir(join(inbox, part), { recursive: true })
    await chmod(join(inbox, part), 0o777)
  }
  // Mail is never read as root: the unprivileged users come with the package.
  const { uid, gid, username } = userInfo()
  const isRoot = uid === 0
  const users = isRoot ? '' : `default_internal_user = ${username}\ndefault_login_user = ${username}\n`
  await writeFile(
    join(folder, 'dovecot.conf'),
    `${users}base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
first_valid_uid = 0
mail_location = maildir:${inbox}
passdb {
  driver = static
  args = password=${PASSWORD}
}
userdb {
  driver = static
  args = uid=${isRoot ? 'dovecot' : uid} gid=${isRoot ? 'dovecot' : gid} home=${inbox}
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
`,
  )
  const process: ChildProcess = spawn('dovecot', ['-F', '-c', join(folder, 'dovecot.conf')], { stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => process.once('close', () => resolve()))
  await waitFor('Dovecot', async () =>
    (await readFile(join(folder, 'log'), 'utf8').catch(() => '')).includes('starting up'),
  )

  let count = 0
  return {
    url: `imap://replies%40clinics.example:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/INBOX`,
    async deliver(...messages) {
      for (const message of messages) {
        count += 1
        await writeFile(join(inbox, 'new', `${Date.now()}.${count}.test`), message.replace(/\r?\n/g, '\r\n'))
      }
    },
    async subjects() {
      const subjects = { read: [] as string[], unread: [] as string[] }
      for (const part of ['new', 'cur']) {
        for (const name of (await readdir(join(inbox, part))).toSorted()) {
          const [, subject = ''] = /^Subject: (.*)$/m.exec(await readFile(join(inbox, part, name), 'utf8')) ?? []
          subjects[/:2,.*S/.test(name) ? 'read' : 'unread'].push(subject.trim())
        }
      }
      return subjects
    },
    async stop() {
      process.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
