import type { ComponentPropsWithRef, ReactNode } from 'react';
import styles from './check-field.module.css';

interface CheckFieldProps extends ComponentPropsWithRef<'input'> {
  readonly label: string;
  readonly hint?: ReactNode;
}

/** Renders a check box with its label. A form contains its `name` only if it is checked. */
export function CheckField({ label, hint, ...input }: CheckFieldProps) {
  return (
    <label className={styles.check}>
      <input type="checkbox" {...input} />
      <span>
        {label}
        {hint !== undefined && <span className={styles.hint}> {hint}</span>}
      </span>
    </label>
  );
}
