import type { RefusalData, RefusalTexts } from '../refusal-text.ts'

export const ANNOUNCEMENT_REFUSALS_JA = {
  'announcement/title-missing': () => 'タイトルを入力してください。',
  'announcement/title-too-long': (data: RefusalData) => `タイトルは${data.max}文字以内で入力してください。`,
  'announcement/body-missing': () => '本文を入力してください。',
  'announcement/body-too-long': (data: RefusalData) => `本文は${data.max}文字以内（書式を含む）で入力してください。`,
  'announcement/button-too-long': (data: RefusalData) => `閉じるボタンの文字は${data.max}文字以内で入力してください。`,
  'announcement/period-missing': () => '掲載の開始日時を入力してください。',
  'announcement/before-earliest-day': () => '掲載の開始日時は2020年12月1日以降にしてください。',
  'announcement/period-reversed': () => '掲載の終了日時は開始日時より後にしてください。',
  'announcement/targets-missing': () => '宛先を1つ以上選んでください。',
  'announcement/target-wrong': () => '宛先が正しくありません。一覧から選び直してください。',
  'announcement/too-many-targets': (data: RefusalData) => `宛先は${data.max}件までです。`,
  'announcement/too-many-ids': (data: RefusalData) => `一度に既読にできるのは${data.max}件までです。`,
} as const satisfies RefusalTexts
