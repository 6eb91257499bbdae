import path from 'node:path'
import { defineConfig } from 'vite'
import { frontEnd } from '../../tools/front-end-config.ts'

const here = (file: string) => path.resolve(import.meta.dirname, file)

export default defineConfig(
  frontEnd({
    root: import.meta.dirname,
    pages: ['index.html', 'silent-callback.html'],
    // Every list is a table: in a file of its own it would be asked for with each of them.
    first: [
      'console.tsx',
      '../../features/reports/dashboard/web/dashboard-view.tsx',
      '../../ui/table/data-table.tsx',
    ].map(here),
  }),
)
