import { makeLanguage } from '@pc/ui/text/language.ts'
import type console from './public/locales/ja/console.json'

export type MenuKey = keyof (typeof console)['menu']
export type GroupKey = keyof (typeof console)['group']

/** The texts of `console.json`, typed: a key that is missing there does not compile. */
export const language = makeLanguage<typeof console>('console')
export const { t } = language
