/** Copies a text to the clipboard; false when the browser does not allow it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** The message when copying is not allowed. */
export const notCopied = (what: string) => `コピーできませんでした。${what}を選択してコピーしてください。`
