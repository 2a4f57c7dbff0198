import type { ComponentPropsWithRef } from 'react';
import styles from './button.module.css';

export interface ButtonProps extends ComponentPropsWithRef<'button'> {
  readonly tone?: 'plain' | 'primary' | 'danger' | 'quiet';
  readonly small?: boolean;
}

/** Renders a button. An unavailable one has `aria-disabled` and stays focusable, so that the reason can be read. */
export function Button({ tone = 'plain', small = false, className, onClick, ...props }: ButtonProps) {
  const isDisabled = props['aria-disabled'] === true;
  return (
    <button
      type="button"
      {...props}
      onClick={isDisabled ? (event) => event.preventDefault() : onClick}
      className={[styles.button, tone !== 'plain' && styles[tone], small && styles.small, className]
        .filter(Boolean)
        .join(' ')}
    />
  );
}
