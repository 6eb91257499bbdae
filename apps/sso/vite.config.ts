import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  base: '/sso/',
  plugins: [react({ compiler: true })],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // Every file of its own: data: addresses would need a wider content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
  },
})
