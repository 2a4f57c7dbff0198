import type { ReactNode } from 'react';
import { useFailureText } from '../texts/failures.ts';
import { bilingual, useTexts } from '../texts/texts.ts';
import { Button } from './button.tsx';
import { Page } from './page.tsx';
import styles from './states.module.css';

const texts = bilingual({
  en: { loading: 'Loading', failed: 'This could not be loaded', again: 'Try again' },
  es: { loading: 'Cargando', failed: 'No se pudo cargar', again: 'Intentar de nuevo' },
});

/** Nothing is there: says why, and what to do. */
export function Empty(props: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className={styles.state}>
      <p className={styles.title}>{props.title}</p>
      {props.children}
    </div>
  );
}

export function Failed(props: { readonly error: unknown; readonly onRetry?: () => void }) {
  const t = useTexts(texts);
  const textOf = useFailureText();
  return (
    <div className={styles.state} role="alert">
      <p className={styles.title}>{t.failed}</p>
      <p>{textOf(props.error)}</p>
      {props.onRetry !== undefined && <Button onClick={props.onRetry}>{t.again}</Button>}
    </div>
  );
}

export function Loading() {
  return (
    <div className={styles.loading} role="status" data-loading="">
      <span className="visually-hidden">{useTexts(texts).loading}</span>
    </div>
  );
}

export interface NoticeProps {
  readonly tone?: 'busy' | 'good' | 'warn' | 'bad';
  readonly children: ReactNode;
}

/** Something to know before going on. */
export function Notice({ tone = 'busy', children }: NoticeProps) {
  return (
    <div
      className={`${styles.notice} ${tone === 'busy' ? '' : (styles[tone] ?? '')}`}
      role={tone === 'bad' ? 'alert' : 'status'}
    >
      {children}
    </div>
  );
}

/**
 * Shows what a query gave, or that it is under way, or why it failed.
 * @param props.title for a whole page that has no other until the answer is there
 */
export function Shown<Data>(props: {
  readonly title?: string;
  readonly query: {
    readonly data: Data | undefined;
    readonly error: unknown;
    readonly isPending: boolean;
    refetch(): unknown;
  };
  readonly children: (data: Data) => ReactNode;
}) {
  const { query, children, title } = props;
  if (query.data !== undefined) return children(query.data);
  const state = query.isPending ? (
    <Loading />
  ) : (
    <Failed error={query.error} onRetry={() => void query.refetch()} />
  );
  return title === undefined ? state : <Page title={title}>{state}</Page>;
}
