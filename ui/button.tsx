import type { ComponentProps, ReactNode } from 'react'
import styles from './button.module.css'

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  icon?: ReactNode
  /** `danger`: what it does destroys something or moves money. */
  tone?: 'plain' | 'primary' | 'quiet' | 'danger'
}

interface ButtonLinkProps extends ComponentProps<'a'> {
  href: string
  icon?: ReactNode
  tone?: ButtonProps['tone']
}

export function Button({ icon, tone = 'plain', children, type = 'button', ...rest }: ButtonProps) {
  return (
    <button type={type} className={styles.button} data-tone={tone} {...rest}>
      {icon}
      {children}
    </button>
  )
}

/** A link that looks like a button: for what leads to another screen. */
export function ButtonLink({ icon, tone = 'plain', children, ...rest }: Omit<ButtonLinkProps, 'className'>) {
  return (
    <a className={styles.button} data-tone={tone} {...rest}>
      {icon}
      {children}
    </a>
  )
}
