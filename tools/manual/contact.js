// Adds the operator's contact and status page, which are settings of the installation, to the footer.
const footer = document.querySelector('footer')

function add(label, address, href) {
  const link = document.createElement('a')
  link.href = href
  link.append(address)
  const line = document.createElement('span')
  line.append(label, link)
  footer.append(line)
}

try {
  const response = await fetch('config.json')
  if (response.ok) {
    const { supportContact: contact, statusUrl } = await response.json()
    if (statusUrl) add('', '障害情報', statusUrl)
    if (contact) add('お問い合わせ：', contact, contact.includes('://') ? contact : `mailto:${contact}`)
  }
} catch {
  // The page is complete without them, for example when it is read without a server.
}
