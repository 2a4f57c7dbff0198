import { type ReactNode, useEffect } from 'react';
import styles from './page.module.css';

export interface PageProps {
  readonly title: string;
  /** Content next to the title, such as a state. */
  readonly besideTitle?: ReactNode;
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Renders the frame of every page: its single `h1`, also the window title, and its actions. */
export function Page({ title, besideTitle, about, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Rubrica`;
  }, [title]);
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <div className={styles.title}>
          <h1>{title}</h1>
          {besideTitle}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </div>
      {about !== undefined && <p className={styles.about}>{about}</p>}
      {children}
    </div>
  );
}

export function Section(props: {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className={styles.section}>
      <div className={styles.sectionHead}>
        <h2>{props.title}</h2>
        {props.actions}
      </div>
      {props.children}
    </section>
  );
}

/** Lists names and values; a row without a value is left out. */
export function Facts({ rows }: { readonly rows: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={styles.facts}>
      {rows
        .filter(([, value]) => value !== null && value !== undefined && value !== '')
        .map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name} value`}>{value}</dd>])}
    </dl>
  );
}
