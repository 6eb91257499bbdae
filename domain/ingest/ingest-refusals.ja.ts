import type { RefusalTexts } from '../refusal-text.ts'

export const INGEST_REFUSALS_JA = {
  'ingest/busy': () => '別の取り込みを処理しています。終わってから、もう一度操作してください。',
  'ingest/not-abandonable': () =>
    'この取り込みは、取り込み済みか、すでに中止しているため、中止できません。画面を再読み込みしてください。',
} as const satisfies RefusalTexts
