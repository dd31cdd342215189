import { brand } from '../../core/brand/brand.ts'
import type { EmailDraft, LeadEmailContext } from './email.ts'
import { Layout } from './layout.tsx'
import { Code, Note, Paragraph } from './parts.tsx'
import { slotted } from './render.tsx'
import { TO_A_CLINIC } from './words.ts'

/** Returns the e-mail with the code that a clinic's page for a request asks for. The subject does not contain it. */
export function requestCodeEmail({ lead, provider, code }: LeadEmailContext): EmailDraft {
  if (!provider || !code) throw new Error('There is no code to send')
  return {
    to: provider.requestEmail,
    replyTo: { name: brand.company, address: brand.email },
    subject: `Your code for request no. ${lead.id}`,
    body: <RequestCode clinic={provider.practiceName || provider.name} id={`${lead.id}`} code={code} />,
  }
}

type CodeSlots = { clinic: string; id: string; code: string }

const RequestCode = slotted(({ clinic, id, code }: CodeSlots) => (
  <Layout preview="It works once, within ten minutes." title="Your code" reason={TO_A_CLINIC}>
    <Paragraph>Hello {clinic},</Paragraph>
    <Paragraph>This code opens request no. {id} in the browser where you asked for it:</Paragraph>
    <Code>{code}</Code>
    <Paragraph>It works once, within ten minutes of this e-mail.</Paragraph>
    <Note>
      Please enter it on our page only, and give it to nobody. If nobody at your clinic asked for it, you can ignore
      this e-mail.
    </Note>
  </Layout>
))
