import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { importCondition } from '../import-condition.ts'
import { IMPORTS_PATH } from '../links.ts'

// Query and view share one file, because the landing page's bundle contains the name of every lazy chunk.
const load = () => import('./imports-view.tsx')

export const importsRoute = defineRoute({
  path: IMPORTS_PATH,
  title: '登録データの取り込み',
  help: 'imports.html',
  allow: { action: 'read:list', resource: 'insight:import.' },
  condition: importCondition,
  query: () => load().then(module => module.importsQuery),
  view: () => load().then(module => module.ImportsView),
})
