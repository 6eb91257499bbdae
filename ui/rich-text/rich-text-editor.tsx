import {
  IconBold,
  IconH2,
  IconItalic,
  IconLink,
  IconList,
  IconListNumbers,
  IconQuote,
  IconStrikethrough,
  IconUnderline,
} from '@tabler/icons-react'
import { DOMParser } from '@tiptap/pm/model'
import { type Editor, EditorContent, useEditor, useEditorState } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { Button } from '../elements/button.tsx'
import { cleanHtml } from '../elements/clean-html.ts'
import styles from './rich-text.module.css'

interface RichTextEditorProps {
  label: string
  html: string
  onChange: (html: string) => void
  onBlur: () => void
  focusRef: (element: { focus(): void } | null) => void
  describedBy: string | undefined
  isInvalid: boolean
}

/** Exactly what the server keeps (`domain/text/html-allow-list.ts`). */
const EXTENSIONS = [
  StarterKit.configure({
    heading: { levels: [2, 3, 4] },
    link: { openOnClick: false, autolink: true, defaultProtocol: 'https' },
  }),
]

const EMPTY = { type: 'doc', content: [{ type: 'paragraph' }] }

/**
 * In a chunk of its own with the editor's engine. Its styles are in our style sheet, because `style-src 'self'` allows
 * no others.
 */
export function RichTextEditor(props: RichTextEditorProps) {
  // The editor is mutable, which the compiler cannot see.
  'use no memo'
  const { html, focusRef } = props
  const editor = useEditor({
    extensions: EXTENSIONS,
    content: EMPTY,
    injectCSS: false,
    immediatelyRender: true,
    editorProps: {
      attributes: {
        class: styles.text ?? '',
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': props.label,
        ...(props.isInvalid ? { 'aria-invalid': 'true' } : {}),
        ...(props.describedBy ? { 'aria-describedby': props.describedBy } : {}),
      },
      handlePaste(view, event) {
        const pasted = event.clipboardData?.getData('text/html') ?? ''
        if (pasted === '') return false
        const slice = DOMParser.fromSchema(view.state.schema).parseSlice(cleanHtml(pasted))
        view.dispatch(view.state.tr.replaceSelection(slice).scrollIntoView())
        return true
      },
    },
    onUpdate: ({ editor: changed }) => props.onChange(changed.isEmpty ? '' : changed.getHTML()),
    onBlur: () => props.onBlur(),
  })
  // If React mounts it late, the editor has destroyed itself; a new one follows, and these effects run again with it.
  useEffect(() => {
    if (editor.isDestroyed) return
    focusRef({ focus: () => editor.commands.focus() })
    return () => focusRef(null)
  }, [editor, focusRef])
  useEffect(() => {
    if (editor.isDestroyed) return
    // The form received other values: another record, or another person's edit.
    const own = editor.isEmpty ? '' : editor.getHTML()
    if (own !== html) editor.commands.setContent(documentOf(editor, html), { emitUpdate: false })
  }, [editor, html])
  return (
    <>
      {!editor.isDestroyed && <Toolbar editor={editor} label={props.label} />}
      <EditorContent editor={editor} />
    </>
  )
}

/** Trusted Types allow no text to become HTML here, so it is sanitised into elements, and those are parsed. */
function documentOf(editor: Editor, html: string): object {
  return DOMParser.fromSchema(editor.schema).parse(cleanHtml(html)).toJSON() as object
}

function Toolbar({ editor, label }: { editor: Editor; label: string }) {
  'use no memo'
  const [isLinking, setLinking] = useState(false)
  const state = useEditorState({
    editor,
    selector: ({ editor: current }) => ({
      ...Object.fromEntries(
        ['bold', 'italic', 'underline', 'strike', 'bulletList', 'orderedList', 'blockquote', 'link'].map(name => [
          name,
          current.isActive(name),
        ]),
      ),
      heading: current.isActive('heading', { level: 2 }),
    }),
  }) as Readonly<Record<string, boolean>>
  const run = () => editor.chain().focus()
  const tool = (name: string, text: string, icon: ReactNode, act: () => void) => (
    <button type="button" aria-label={text} title={text} aria-pressed={state[name] === true} onClick={act}>
      {icon}
    </button>
  )
  return (
    <div className={styles.toolbar} role="toolbar" aria-label={`${label}の書式`}>
      {tool('heading', '見出し', <IconH2 size={18} />, () => run().toggleHeading({ level: 2 }).run())}
      {tool('bold', '太字', <IconBold size={18} />, () => run().toggleBold().run())}
      {tool('italic', '斜体', <IconItalic size={18} />, () => run().toggleItalic().run())}
      {tool('underline', '下線', <IconUnderline size={18} />, () => run().toggleUnderline().run())}
      {tool('strike', '取り消し線', <IconStrikethrough size={18} />, () => run().toggleStrike().run())}
      {tool('bulletList', '箇条書き', <IconList size={18} />, () => run().toggleBulletList().run())}
      {tool('orderedList', '番号付きの箇条書き', <IconListNumbers size={18} />, () => run().toggleOrderedList().run())}
      {tool('blockquote', '引用', <IconQuote size={18} />, () => run().toggleBlockquote().run())}
      {tool('link', 'リンク', <IconLink size={18} />, () => setLinking(!isLinking))}
      {isLinking && <LinkInput editor={editor} onDone={() => setLinking(false)} />}
    </div>
  )
}

function LinkInput({ editor, onDone }: { editor: Editor; onDone: () => void }) {
  const [url, setUrl] = useState(String(editor.getAttributes('link').href ?? 'https://'))
  const id = useId()
  const isUsable = /^(https?:\/\/[^\s]+\.[^\s]+|mailto:\S+@\S+)$/.test(url)
  const set = () => {
    if (!isUsable) return
    const chain = editor.chain().focus().extendMarkRange('link')
    // Without a selection the address itself becomes the text.
    if (editor.state.selection.empty && !editor.isActive('link')) {
      chain.insertContent({ type: 'text', text: url, marks: [{ type: 'link', attrs: { href: url } }] }).run()
    } else chain.setLink({ href: url }).run()
    onDone()
  }
  return (
    <div className={styles.link}>
      <label htmlFor={id}>リンク先のURL</label>
      <input
        id={id}
        type="url"
        value={url}
        onChange={event => setUrl(event.target.value)}
        onKeyDown={event => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return
          event.preventDefault()
          set()
        }}
      />
      <Button disabled={!isUsable} title={isUsable ? undefined : 'https:// から入力してください'} onClick={set}>
        設定
      </Button>
      <Button
        tone="quiet"
        onClick={() => {
          editor.chain().focus().extendMarkRange('link').unsetLink().run()
          onDone()
        }}
      >
        リンクを外す
      </Button>
    </div>
  )
}
