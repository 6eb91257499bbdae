// Loaded by practice systems only: every title says that it is one.
{
  const mark = '【練習】'
  const keep = () => {
    if (!document.title.startsWith(mark)) document.title = mark + document.title
  }
  new MutationObserver(keep).observe(document.head, { subtree: true, childList: true, characterData: true })
  keep()
}
