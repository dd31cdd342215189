// `npm run emails`: every email in the browser, while templates are written.
import { startMailPreview } from './mail-preview.ts'
import { freePort } from './ports.ts'

const WANTED_PORT = 3030

const { url } = await startMailPreview({ port: await freePort(WANTED_PORT) })
console.log(`Every email, as HTML and as text: ${url}`)
