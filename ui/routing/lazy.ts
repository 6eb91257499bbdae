import { lazy as reactLazy } from 'react'
import { loadCode } from './load-code.ts'

/** `lazy` of React, which would keep a failure for ever. */
export const lazy: typeof reactLazy = load => reactLazy(() => loadCode(load))
