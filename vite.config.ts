import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/**
 * sonner adds a <style> element when it is loaded, which our Content-Security-Policy refuses. Its styles come from
 * the style sheet of the same package instead (see web/ui/toaster.tsx).
 */
function sonnerWithoutInlineStyles(): Plugin {
  const INJECTION = /^__insertCSS\(".*"\);?$/m
  return {
    name: 'sonner-without-inline-styles',
    transform(code, id) {
      if (!id.includes('/sonner/dist/index.mjs')) return null
      if (!INJECTION.test(code)) throw new Error('sonner no longer injects its styles the way this plugin expects')
      return { code: code.replace(INJECTION, ''), map: null }
    },
  }
}

export default defineConfig({
  root: 'web',
  plugins: [react(), tailwindcss(), sonnerWithoutInlineStyles()],
  // Pre-bundled dependencies bypass the plugins.
  optimizeDeps: { exclude: ['sonner'] },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // A data: address would have to be allowed by the Content-Security-Policy.
    assetsInlineLimit: 0,
  },
})
