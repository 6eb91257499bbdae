/** Puts a text into the clipboard; false where the browser does not allow it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** What is said when it is not allowed. */
export const notCopied = (what: string) => `コピーできませんでした。${what}を選択してコピーしてください。`
