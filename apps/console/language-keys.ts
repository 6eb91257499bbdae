import type console from './public/locales/ja/console.json'

/** The keys of the console's texts: a key that does not exist does not compile. */
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'console'
    resources: { console: typeof console }
  }
}

export const NAMESPACE = 'console'
export type MenuKey = keyof (typeof console)['menu']
export type GroupKey = keyof (typeof console)['group']
