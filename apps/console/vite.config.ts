import path from 'node:path'
import { defineConfig } from 'vite'
import { frontEnd } from '../../tools/front-end-config.ts'

const here = (file: string) => path.resolve(import.meta.dirname, file)

export default defineConfig(
  frontEnd({
    root: import.meta.dirname,
    pages: ['index.html', 'silent-callback.html'],
    first: [here('console.tsx'), here('../../features/reports/web/dashboard-view.tsx')],
    questions: here('first-questions.ts'),
    preloaded: [here('first-questions.ts'), here('application.tsx')],
  }),
)
