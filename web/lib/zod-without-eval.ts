/**
 * zod would try whether it may compile schemas by `eval`, which our Content-Security-Policy refuses and reports. It reads
 * its settings from this object when it is loaded (zod 4.6, `core/core.ts`), so they can be made without loading it.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

export {}
