import path from 'node:path'
import { defineConfig } from 'vite'
import { frontEnd } from '../../tools/front-end-config.ts'

export default defineConfig(
  frontEnd({
    root: import.meta.dirname,
    pages: ['index.html', 'silent-callback.html'],
    landingChunk: path.resolve(import.meta.dirname, '../../features/reports/web/dashboard-view.tsx'),
  }),
)
