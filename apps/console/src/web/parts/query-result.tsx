import type { ReactNode } from 'react';
import { useFailureText } from '../texts/failures.ts';
import { createBilingual, useTexts } from '../texts/texts.ts';
import { Button } from './button.tsx';
import { Page } from './page.tsx';
import styles from './states.module.css';

const texts = createBilingual({
  en: { loading: 'Loading', failed: 'This could not be loaded', again: 'Try again' },
  es: { loading: 'Cargando', failed: 'No se pudo cargar', again: 'Intentar de nuevo' },
});

/** Renders an empty state with its reason and the next step. */
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
  const formatFailure = useFailureText();
  return (
    <div className={styles.state} role="alert">
      <p className={styles.title}>{t.failed}</p>
      <p>{formatFailure(props.error)}</p>
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

/** Renders important information for the operator. */
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
 * Renders the result of a query, its loading state or its failure.
 * @param props.title of a page that has no other title until the answer arrives
 */
export function QueryResult<Data>(props: {
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
