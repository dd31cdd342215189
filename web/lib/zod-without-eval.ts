import { config } from 'zod'

// zod would try whether it may compile schemas by `eval`, which our Content-Security-Policy refuses and reports.
config({ jitless: true })
