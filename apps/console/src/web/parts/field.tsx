import { type ComponentPropsWithRef, type ReactNode, useId } from 'react';
import styles from './field.module.css';

interface Labelled {
  readonly label: string;
  readonly hint?: ReactNode;
}

type Control = (ids: { readonly id: string; readonly 'aria-describedby': string | undefined }) => ReactNode;

function Field({ label, hint, children }: Labelled & { readonly children: Control }) {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {children({ id, 'aria-describedby': hint === undefined ? undefined : hintId })}
      {hint !== undefined && (
        <span id={hintId} className={styles.hint}>
          {hint}
        </span>
      )}
    </div>
  );
}

/** Renders an input with its label. In a form, its `name` is the key of its value in `FormData`. */
export function TextField({ label, hint, ...input }: Labelled & ComponentPropsWithRef<'input'>) {
  return (
    <Field label={label} hint={hint}>
      {(ids) => <input {...ids} className={styles.control} autoComplete="off" {...input} />}
    </Field>
  );
}

export function TextArea({ label, hint, ...area }: Labelled & ComponentPropsWithRef<'textarea'>) {
  return (
    <Field label={label} hint={hint}>
      {(ids) => <textarea {...ids} className={styles.control} {...area} />}
    </Field>
  );
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export interface ChoiceFieldProps extends Labelled, ComponentPropsWithRef<'select'> {
  readonly choices: readonly Choice[];
  /** Label of the empty value; without it there is no empty value. */
  readonly empty?: string | undefined;
}

export function ChoiceField({ label, hint, choices, empty, ...select }: ChoiceFieldProps) {
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <select {...ids} className={styles.control} {...select}>
          {empty !== undefined && <option value="">{empty}</option>}
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
export function CheckField({ label, hint, ...input }: Labelled & ComponentPropsWithRef<'input'>) {
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
