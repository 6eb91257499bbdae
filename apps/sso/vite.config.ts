import { defineConfig } from 'vite'
import { reactPlugin } from '../../tools/front-end-config.ts'

export default defineConfig({
  root: import.meta.dirname,
  base: '/sso/',
  plugins: [reactPlugin()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // Every file of its own: data: addresses would need a wider content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
  },
})
