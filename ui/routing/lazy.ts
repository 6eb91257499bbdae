import { lazy as reactLazy } from 'react'
import { loadCode } from './load-code.ts'

/** React's `lazy`, except that a failed load is retried: React would keep the failure for good. */
export const lazy: typeof reactLazy = load => reactLazy(() => loadCode(load))
