/** The package has no types: banks by code, each with its branches by code. */
declare module 'zengin-code' {
  interface Entry {
    readonly code: string
    readonly name: string
    readonly kana: string
    readonly hira: string
    readonly roma: string
  }
  const banks: Readonly<Record<string, Entry & { readonly branches: Readonly<Record<string, Entry>> }>>
  // biome-ignore lint/style/noDefaultExport: what the package has
  export default banks
}
