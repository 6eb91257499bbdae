import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import styles from './button.module.css'

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  icon?: ReactNode
  /** `danger`: the action destroys something or moves money. */
  tone?: 'plain' | 'primary' | 'quiet' | 'danger'
}

/** A button. With `aria-disabled`, while something is running, it keeps the focus and does nothing. */
export function Button({ icon, tone = 'plain', children, type = 'button', onClick, ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      className={styles.button}
      data-tone={tone}
      onClick={rest['aria-disabled'] === true ? doNothing : onClick}
      {...rest}
    >
      {icon}
      {children}
    </button>
  )
}

function doNothing(event: MouseEvent): void {
  event.preventDefault()
}
