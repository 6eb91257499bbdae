import path from 'node:path'
import { defineConfig } from 'vite'
import { frontEnd } from '../../tools/front-end-config.ts'

const here = (file: string) => path.resolve(import.meta.dirname, file)

export default defineConfig(
  frontEnd({
    root: import.meta.dirname,
    pages: ['index.html', 'silent-callback.html'],
    // Every list contains a table, so it is part of the first file instead of a further request.
    first: [
      'console.tsx',
      '../../features/reports/dashboard/web/dashboard-view.tsx',
      '../../ui/table/data-table.tsx',
    ].map(here),
    together: {
      // Parts of every report.
      'report-parts': [
        '../../features/annotations/web/chart-notes.tsx',
        '../../features/reports/core/web/report-toolbar.tsx',
        '../../features/reports/core/web/heat-table.tsx',
        '../../ui/chart/time-series.tsx',
      ].map(here),
      // Loaded right after the first paint of the start screen (`home-bundle.ts`, what it imports included); `npm run bench -- --screens`
      // shows what comes later.
      home: [
        '../../ui/shell/application-footer.tsx',
        'home-bundle.ts',
        '../../features/reports/dashboard/web/dashboard-change.tsx',
        '../../features/reports/dashboard/web/dashboard-table.tsx',
        '../../features/reports/dashboard/web/revenue-detail-card.tsx',
      ].map(here),
    },
  }),
)
