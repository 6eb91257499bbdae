import { defineConfig } from 'vite'
import { reactPlugin } from '../../tools/front-end-config.ts'

export default defineConfig({
  root: import.meta.dirname,
  base: '/sso/',
  plugins: [reactPlugin()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // No inlined assets: `data:` URLs would need a wider Content Security Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
  },
})
